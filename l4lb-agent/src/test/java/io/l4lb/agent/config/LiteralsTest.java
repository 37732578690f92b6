// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiteralsTest {
    @Property
    void everyAddressReadsBack(@ForAll @Size(16) byte[] six, @ForAll @Size(4) byte[] four) throws UnknownHostException {
        InetAddress v6 = InetAddress.getByAddress(six);
        InetAddress v4 = InetAddress.getByAddress(four);
        assertEquals(v6, AddressLiteral.any(v6.getHostAddress()));
        assertEquals(v4, AddressLiteral.any(v4.getHostAddress()));
    }

    @Test
    void readsEveryFormOfAnIpv6Address() {
        assertEquals("0:0:0:0:0:0:0:0", AddressLiteral.any("::").getHostAddress());
        assertEquals("1:2:3:4:5:6:7:0", AddressLiteral.any("1:2:3:4:5:6:7::").getHostAddress());
        assertEquals("0:2:3:4:5:6:7:8", AddressLiteral.any("::2:3:4:5:6:7:8").getHostAddress());
        assertEquals(
                "64:ff9b:0:0:0:0:c000:201",
                AddressLiteral.any("64:ff9b::192.0.2.1").getHostAddress());
        assertEquals("fd00:0:0:0:0:0:0:a", AddressLiteral.any("FD00::000A").getHostAddress());
    }

    @Test
    void refusesWhatIsNoAddress() {
        for (String text : List.of(
                "",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                ":1::",
                "1:",
                "12345::",
                "::g",
                "::1%lo",
                "[::1]",
                "::1.2.3",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "1.2.3",
                "1.2.3.4.5",
                "01.2.3.4",
                "1.2.3.256",
                "1.2.3.-4",
                " 1.2.3.4",
                "127.1",
                "0x7f.0.0.1",
                "localhost",
                "\u0661.2.3.4")) {
            assertThrows(ImpossibleValueException.class, () -> AddressLiteral.any(text), text);
        }
    }

    @Test
    void readsDurations() {
        assertEquals(Duration.ofMillis(500), DurationLiteral.parse("500ms"));
        assertEquals(Duration.ofMillis(500), DurationLiteral.parse("0.5s"));
        assertEquals(Duration.ofSeconds(90), DurationLiteral.parse("1.5m"));
        assertEquals(Duration.ofMinutes(90), DurationLiteral.parse("1.5h"));
        assertEquals(Duration.ofMinutes(999_999_999), DurationLiteral.parse("999999999m"));
        for (String text : List.of("", "1", "s", ".5s", "1.s", "1d", "1S", "1s ", "1e3s", "9999999999s")) {
            assertThrows(ImpossibleValueException.class, () -> DurationLiteral.parse(text), text);
        }
    }

    @Property
    void primesAreThoseOfTheJdk(@ForAll @IntRange(min = 3, max = 5_000_011) int number) {
        assertEquals(BigInteger.valueOf(number).isProbablePrime(50), Prime.is(number));
        int nearest = Prime.nearest(number);
        assertTrue(Prime.is(nearest));
        for (int i = 0; i < Math.abs(nearest - number); i++) {
            assertFalse(Prime.is(number + i) || Prime.is(number - i));
        }
    }

    @Test
    void theLargestTableSizeIsAPrime() {
        assertTrue(Prime.is(5_000_011));
    }

    @Test
    void findsTheWordThatWasMeant() {
        List<String> words = List.of("interval", "timeout", "rise", "fall");
        assertEquals("interval", Spelling.closest("intreval", words).orElseThrow());
        assertEquals("timeout", Spelling.closest("time-out", words).orElseThrow());
        assertEquals("rise", Spelling.closest("Rise", words).orElseThrow());
        for (String far : List.of("fan", "ri", "fill-up", "risky", "wise-r")) {
            assertTrue(Spelling.closest(far, words).isEmpty(), far);
        }
        assertTrue(Spelling.closest("port", List.of("host", "path")).isEmpty());
        assertEquals("port", Spelling.closest("prot", List.of("host", "port")).orElseThrow());
        assertTrue(Spelling.closest("x".repeat(100_000), words).isEmpty());
    }

    @Test
    void readsASeed(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("seed");
        Files.writeString(file, "  00112233445566778899AABBCCDDEEFF \n");
        assertEquals("00112233445566778899aabbccddeeff", ConfigLoader.readSeed(file));
        for (String wrong :
                List.of("", "0011", "g".repeat(32), "0".repeat(33), "0".repeat(16) + "\n" + "0".repeat(16))) {
            Files.writeString(file, wrong);
            IOException e = assertThrows(IOException.class, () -> ConfigLoader.readSeed(file));
            assertEquals("does not hold 32 hexadecimal digits", e.getMessage());
        }
        Files.writeString(file, "0".repeat(2000));
        assertEquals(
                "is too large: more than 1 KiB",
                assertThrows(IOException.class, () -> ConfigLoader.readSeed(file))
                        .getMessage());
    }
}
