// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Golden bytes are those of a little-endian host. */
class AttributeTest {
    private static final String U8_7_PADDED = "0500 0100 07 000000";
    private static final String U16_HOST_0X1234 = "0600 0200 3412 0000";
    private static final String U16_NETWORK_80 = "0600 0300 0050 0000";
    private static final String U32_HOST_0XDEADBEEF = "0800 0400 efbeadde";
    private static final String U64_HOST_1 = "0c00 0500 0100000000000000";
    private static final String TEXT_RR = "0700 0600 727200 00";
    private static final String ADDRESS_10_1_0_2 = "0800 0700 0a010002";
    private static final String NEST_OF_U8_7 = "0c00 0880" + U8_7_PADDED;

    @Test
    void everyKindHasItsGoldenBytes() throws UnknownHostException {
        Octets written = new AttributeWriter()
                .u8(1, 7)
                .u16Host(2, 0x1234)
                .u16Network(3, 80)
                .u32Host(4, 0xdeadbeef)
                .u64Host(5, 1)
                .text(6, "rr")
                .address(7, InetAddress.getByName("10.1.0.2"))
                .nested(8, nest -> nest.u8(1, 7))
                .toOctets();

        assertEquals(
                Octets.fromHex(U8_7_PADDED
                        + U16_HOST_0X1234
                        + U16_NETWORK_80
                        + U32_HOST_0XDEADBEEF
                        + U64_HOST_1
                        + TEXT_RR
                        + ADDRESS_10_1_0_2
                        + NEST_OF_U8_7),
                written);
    }

    @Test
    void readsBackWhatEachKindHolds() {
        AttributeReader reader = AttributeReader.of(
                Octets.fromHex(U16_NETWORK_80 + U32_HOST_0XDEADBEEF + TEXT_RR + ADDRESS_10_1_0_2 + NEST_OF_U8_7));

        assertEquals(80, reader.require(3, "port").u16Network(0));
        assertEquals(0xdeadbeefL, reader.require(4, "number").u32Host(0));
        assertEquals("rr", reader.require(6, "scheduler").toText());
        assertEquals("10.1.0.2", reader.require(7, "address").toAddress().getHostAddress());
        assertEquals(7, reader.all().get(4).nested().require(1, "inner").u8(0));
    }

    @Test
    void theLastOfSeveralCounts() {
        AttributeReader reader =
                AttributeReader.of(new AttributeWriter().u8(1, 5).u8(1, 6).toOctets());

        assertEquals(6, reader.require(1, "twice").u8(0));
        assertEquals(2, reader.all().size());
    }

    @Test
    void lastAttributeMayLackItsPadding() {
        assertEquals(
                7,
                AttributeReader.of(Octets.fromHex("0500 0100 07"))
                        .require(1, "short")
                        .u8(0));
    }

    @Test
    void lengthsThatDoNotFitAreMalformed() {
        for (String hex : List.of("0300 0100", "0000 0100", "0900 0100 00000000", "0800", "04", "ffff 0100 00")) {
            NetlinkException malformed =
                    assertThrows(NetlinkException.class, () -> AttributeReader.of(Octets.fromHex(hex)), hex);
            assertEquals("EBADMSG", malformed.errno());
        }
    }

    @Test
    void absentAttributeIsNamed() {
        NetlinkException missing = assertThrows(
                NetlinkException.class, () -> AttributeReader.of(Octets.EMPTY).require(4, "RTA_OIF"));
        assertEquals("decode netlink message: EBADMSG (attribute RTA_OIF is missing)", missing.getMessage());
    }

    @Test
    void tooLongOrOutOfRangeIsRefused() {
        AttributeWriter writer = new AttributeWriter();
        assertThrows(IllegalArgumentException.class, () -> writer.octets(1, Octets.of(new byte[0xfffc])));
        assertThrows(IllegalArgumentException.class, () -> writer.u8(0x4000, 1));
    }

    @Property
    void roundTrip(@ForAll("attributeLists") List<Attribute> attributes) {
        AttributeWriter writer = new AttributeWriter();
        attributes.forEach(attribute -> writer.octets(attribute.type(), attribute.value()));

        assertEquals(0, writer.toOctets().length() % 4);
        assertEquals(attributes, AttributeReader.of(writer.toOctets()).all());
    }

    @Property
    void roundTripOfANest(@ForAll("attributeLists") List<Attribute> attributes) {
        Octets written = new AttributeWriter()
                .nested(9, nest -> attributes.forEach(inner -> nest.octets(inner.type(), inner.value())))
                .toOctets();

        assertEquals(
                attributes, AttributeReader.of(written).all().get(0).nested().all());
    }

    @Property
    void anyBytesAreReadOrMalformed(@ForAll byte[] bytes) {
        List<Attribute> read = new ArrayList<>();
        try {
            read.addAll(AttributeReader.of(Octets.of(bytes)).all());
        } catch (NetlinkException malformed) {
            assertEquals("EBADMSG", malformed.errno());
        }
        assertEquals(
                true,
                read.stream().mapToInt(attribute -> attribute.value().length()).sum() <= bytes.length);
    }

    @Provide
    Arbitrary<List<Attribute>> attributeLists() {
        Arbitrary<Octets> values =
                Arbitraries.bytes().array(byte[].class).ofMaxSize(40).map(Octets::of);
        return Combinators.combine(Arbitraries.integers().between(0, 0x3fff), values)
                .as(Attribute::new)
                .list()
                .ofMaxSize(12);
    }
}
