// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables that must never change: directors of two versions have to agree. Computed by a second implementation, in Python,
 * that follows the class comments in the plainest way: requests and scores one by one, the ring as a sorted list.
 */
class GoldenTablesTest {
    private static final HashSeed SEED = HashSeed.ofHex("000102030405060708090a0b0c0d0e0f");

    @ParameterizedTest
    @CsvSource({
        "MAGLEV,     12100000110201000200120, 2568cfc5bf283703",
        "KETAMA,     21022002200101112021012, b47f1baca2544719",
        "RENDEZVOUS, 10001000002112100020002, d30942837b353767"
    })
    void threeWeightsInASmallTable(Scheduler scheduler, String slots, String digest) {
        LookupTable table = scheduler.build(
                List.of(
                        new WeightedReal("10.0.0.1", 100),
                        new WeightedReal("10.0.0.2", 50),
                        new WeightedReal("10.0.0.3", 25)),
                23,
                SEED);
        assertArrayEquals(slots.chars().map(digit -> digit - '0').toArray(), table.slots());
        assertEquals(Long.parseUnsignedLong(digest, 16), table.digest());
    }

    @ParameterizedTest
    @CsvSource({
        "MAGLEV,     13117 13076 13101 13136 13107, 3214444442431343, 508b1cf465f59aca",
        "KETAMA,     12295 12659 14620 12803 13160, 3333333333333333, cb7e94ae20a7f76b",
        "RENDEZVOUS, 13340 13088 12951 13098 13060, 1343200423443033, 46c1918fc4e30662"
    })
    void fiveEqualReals(Scheduler scheduler, String counts, String first, String digest) {
        LookupTable table = scheduler.build(
                IntStream.rangeClosed(1, 5)
                        .mapToObj(i -> new WeightedReal("10.0.0." + i, 100))
                        .toList(),
                LookupTable.DEFAULT_SIZE,
                SEED);
        assertArrayEquals(
                Arrays.stream(counts.split(" ")).mapToInt(Integer::parseInt).toArray(), table.slotsPerReal());
        assertArrayEquals(
                first.chars().map(digit -> digit - '0').toArray(), Arrays.copyOf(table.slots(), first.length()));
        assertEquals(Long.parseUnsignedLong(digest, 16), table.digest());
    }

    @ParameterizedTest
    @CsvSource({"MAGLEV, 057cd2da75aede73", "KETAMA, a8c74589f1cee2d8", "RENDEZVOUS, 6b06382aa5970e60"})
    void aHundredWeights(Scheduler scheduler, String digest) {
        LookupTable table = scheduler.build(
                IntStream.rangeClosed(1, 100)
                        .mapToObj(i -> new WeightedReal("2001:db8::" + i, i))
                        .toList(),
                LookupTable.DEFAULT_SIZE,
                SEED);
        assertEquals(Long.parseUnsignedLong(digest, 16), table.digest());
    }
}
