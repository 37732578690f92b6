// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Spelling {
    private static final int MAX_LENGTH = 40;

    private Spelling() {}

    /** The word of {@code words} that is closest to {@code typed}, if it is close at all. */
    static Optional<String> closest(String typed, Collection<String> words) {
        if (typed.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        int allowed = Math.min(2, typed.length() / 3);
        return words.stream()
                .filter(word -> distance(typed, word) <= allowed)
                .min(Comparator.comparingInt((String word) -> distance(typed, word))
                        .thenComparing(word -> word));
    }

    /** Letters added, lost, replaced or swapped with a neighbour. */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(int[][] cost, String a, String b, int i, int j) {
        char x = letter(a, i - 1);
        char y = letter(b, j - 1);
        int best = Math.min(cost[i - 1][j - 1] + (x == y ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        if (i > 1 && j > 1 && x == letter(b, j - 2) && letter(a, i - 2) == y) {
            best = Math.min(best, cost[i - 2][j - 2] + 1);
        }
        return best;
    }

    private static char letter(String word, int index) {
        char c = Character.toLowerCase(word.charAt(index));
        return c == '_' ? '-' : c;
    }
}
