// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of {@code l4lb table simulate}'s options. */
final class SimulationOptions {
    static final String ALL_SCHEDULERS = "all";

    private static final int SMALLEST_TABLE = 3;
    private static final int MOST_REALS = 100_000;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final Pattern PERCENTAGE = Pattern.compile("[+-]?[0-9]{1,4}(\\.[0-9]{1,4})?%");

    private SimulationOptions() {}

    /** The schedulers that one word stands for. */
    record Choice(List<Scheduler> schedulers) {}

    /**
     * A change of a weight.
     *
     * @param text with its sign
     * @param factor of the weight, above 0
     */
    record Change(String text, double factor) {}

    private static int tableSize(String text) {
        int size = number(text, SMALLEST_TABLE, LookupTable.MAX_SIZE);
        if (LookupTable.isSize(size)) {
            return size;
        }
        int below = size;
        while (!LookupTable.isSize(below)) {
            below--;
        }
        int above = size;
        while (!LookupTable.isSize(above)) {
            above++;
        }
        throw new TypeConversionException(size + " is not a prime; the nearest are " + below + " and " + above);
    }

    static Change change(String text) {
        if (!PERCENTAGE.matcher(text).matches()) {
            throw new TypeConversionException("\"" + text + "\" is not a change in percent, as 1% or -50%");
        }
        double percent = Double.parseDouble(text.substring(0, text.length() - 1));
        if (percent <= -100) {
            throw new TypeConversionException(text + " leaves no weight; the event \"leave\" is simulated anyway");
        }
        if (percent == 0) {
            throw new TypeConversionException(text + " changes nothing");
        }
        boolean signed = text.startsWith("-") || text.startsWith("+");
        return new Change(signed ? text : "+" + text, 1 + percent / 100);
    }

    private static HashSeed seed(String text) {
        try {
            return HashSeed.ofHex(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static Choice schedulers(String text) {
        List<Scheduler> schedulers = Arrays.stream(Scheduler.values())
                .filter(scheduler -> text.equals(ALL_SCHEDULERS) || text.equals(scheduler.key()))
                .toList();
        if (schedulers.isEmpty()) {
            throw new TypeConversionException("\"" + text + "\" is not known; use " + schedulerWords());
        }
        return new Choice(schedulers);
    }

    private static String schedulerWords() {
        return Arrays.stream(Scheduler.values())
                .map(Scheduler::key)
                .collect(Collectors.joining(", ", "", " or " + ALL_SCHEDULERS));
    }

    private static int number(String text, int least, int most) {
        if (!NUMBER.matcher(text).matches()) {
            throw new TypeConversionException("\"" + text + "\" is not a number from " + least + " to " + most);
        }
        int number = Integer.parseInt(text);
        if (number < least || number > most) {
            throw new TypeConversionException(text + " is out of range; use " + least + " to " + most);
        }
        return number;
    }

    /** Reads {@code --table-size}. */
    static final class TableSize implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return tableSize(value);
        }
    }

    /** Reads {@code --reals}. */
    static final class Reals implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 1, MOST_REALS);
        }
    }

    /** Reads {@code --scheduler}. */
    static final class Schedulers implements ITypeConverter<Choice> {
        @Override
        public Choice convert(String value) {
            return schedulers(value);
        }
    }

    /** Reads {@code --reweight}. */
    static final class Reweight implements ITypeConverter<Change> {
        @Override
        public Change convert(String value) {
            return change(value);
        }
    }

    /** Reads {@code --seed}. */
    static final class Seed implements ITypeConverter<HashSeed> {
        @Override
        public HashSeed convert(String value) {
            return seed(value);
        }
    }
}
