// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The Maglev table as its class comment defines it: all requests one by one in the order of their times. */
final class MaglevByDefinition {
    private final List<WeightedReal> reals;
    private final int size;
    private final HashSeed seed;
    private final double[] times;
    private final int[] slots;
    private final int[] holds;
    private final int[] nextSlot;
    private final int[] nextRank;

    MaglevByDefinition(List<WeightedReal> reals, int size, HashSeed seed) {
        this.reals = reals;
        this.size = size;
        this.seed = seed;
        times = new double[size];
        double time = 0;
        for (int rank = 0; rank < size; rank++) {
            time += 1.0 / (size - rank);
            times[rank] = time;
        }
        slots = new int[size];
        Arrays.fill(slots, LookupTable.NO_REAL);
        holds = new int[reals.size()];
        nextRank = new int[reals.size()];
        nextSlot = new int[reals.size()];
        Arrays.setAll(nextSlot, real -> permutation(real).offset());
    }

    int[] fill() {
        double weight = reals.stream().mapToDouble(WeightedReal::weight).sum();
        int[] one = new int[reals.size()];
        int[] least = new int[reals.size()];
        int[] most = new int[reals.size()];
        for (int real = 0; real < one.length; real++) {
            double share = reals.get(real).weight() * (double) size / weight;
            double threshold = (double) permutation(real).offset() / size;
            one[real] = 1;
            least[real] = Math.max(1, (int) Math.floor(0.8 * share + threshold));
            most[real] = (int) Math.max(Math.ceil(share), Math.floor(1.02 * share - threshold));
        }
        race(one, Double.POSITIVE_INFINITY);
        race(least, Double.POSITIVE_INFINITY);
        race(most, 4 / weight);
        return withLeftovers(most);
    }

    private record Request(double time, int real) {}

    private void race(int[] most, double until) {
        PriorityQueue<Request> requests =
                new PriorityQueue<>(Comparator.comparingDouble(Request::time).thenComparingInt(Request::real));
        for (int real = 0; real < most.length; real++) {
            enqueue(requests, real, most, until);
        }
        for (Request request = requests.poll(); request != null; request = requests.poll()) {
            int real = request.real();
            int slot = nextSlot[real];
            nextSlot[real] = permutation(real).after(slot);
            nextRank[real]++;
            if (slots[slot] == LookupTable.NO_REAL) {
                slots[slot] = real;
                holds[real]++;
            }
            enqueue(requests, real, most, until);
        }
    }

    private void enqueue(PriorityQueue<Request> requests, int real, int[] most, double until) {
        if (holds[real] < most[real] && nextRank[real] < size) {
            double time = times[nextRank[real]] / reals.get(real).weight();
            if (time <= until) {
                requests.add(new Request(time, real));
            }
        }
    }

    private int[] withLeftovers(int[] most) {
        int[] whole = slots.clone();
        for (int steps = 1; Arrays.stream(whole).anyMatch(real -> real == LookupTable.NO_REAL); steps++) {
            for (int slot = 0; slot < size; slot++) {
                if (whole[slot] == LookupTable.NO_REAL) {
                    long stride = 1L + LookupTable.slotOf(SipHash.hash13(seed, slot), size - 1);
                    int real = slots[(int) ((slot + steps * stride) % size)];
                    if (real != LookupTable.NO_REAL && holds[real] < most[real]) {
                        whole[slot] = real;
                        holds[real]++;
                    }
                }
            }
        }
        return whole;
    }

    private Permutation permutation(int real) {
        return Permutation.of(reals.get(real).identity(), size, seed);
    }
}
