// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Availability;
import io.l4lb.agent.model.Availability.AllDown;
import io.l4lb.agent.model.Availability.Panic;
import io.l4lb.agent.model.Availability.Policy;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Real;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads what a service does when its reals fail: {@code quorum}, {@code panic-share}, {@code panic-window}, {@code all-down} and
 * the table {@code sorry}.
 *
 * @param availability absent if something is wrong with it
 * @param sorry the address of the sorry real, of one that is of no use too
 */
record AvailabilityReader(Optional<Availability> availability, Optional<Located<InetAddress>> sorry) {
    private static final Pattern PERCENT = Pattern.compile("([1-9]\\d?|100)%");
    private static final Choice<Policy> POLICIES = Choice.of(Policy.values(), Policy::key);
    /** It gets everything, however much that is. */
    private static final int SORRY_WEIGHT = 100;

    static AvailabilityReader read(Table table) {
        Optional<Quorum> quorum = quorum(table);
        Panic panic = PanicReader.read(table);
        Optional<Policy> policy = table.has("all-down")
                ? table.value("all-down", "a string", POLICIES::parse)
                : Optional.of(Policy.WITHDRAW);
        Optional<Located<InetAddress>> sorry = sorry(table);
        boolean asked = policy.equals(Optional.of(Policy.SORRY));
        if (asked && !table.has("sorry")) {
            table.problem("sorry", "is missing: all-down = \"sorry\" needs the address of a real");
        } else if (policy.isPresent() && !asked && table.has("sorry")) {
            table.problem("sorry", "is only for all-down = \"sorry\"");
        }
        Optional<AllDown> allDown = policy.filter(known -> asked == sorry.isPresent())
                .map(known -> new AllDown(known, sorry.map(real -> new Real(real.value(), SORRY_WEIGHT))));
        return new AvailabilityReader(
                quorum.flatMap(known -> allDown.map(down -> new Availability(known, panic, down))), sorry);
    }

    private static Optional<Located<InetAddress>> sorry(Table table) {
        if (!table.has("sorry")) {
            return Optional.empty();
        }
        return table.table("sorry").flatMap(sorry -> {
            sorry.require("address");
            Optional<Located<InetAddress>> address =
                    sorry.located("address", "an IP address", AddressLiteral::routable);
            sorry.finish();
            return address;
        });
    }

    private static Optional<Quorum> quorum(Table table) {
        if (!table.has("quorum")) {
            return Optional.of(new Quorum(1, false));
        }
        if (table.isText("quorum")) {
            return table.value("quorum", "a number", AvailabilityReader::percentage);
        }
        Optional<Integer> number = table.number("quorum", 1, 65535);
        number.filter(n -> n > table.size("reals") && table.size("reals") > 0)
                .ifPresent(n -> table.problem(
                        "quorum", n + " can never be met: there are fewer reals, " + table.size("reals")));
        return number.map(n -> new Quorum(n, false));
    }

    private static Quorum percentage(String text) {
        if (!PERCENT.matcher(text).matches()) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is not a quorum; use a number of reals, or \"1%\" to \"100%\"");
        }
        return new Quorum(Integer.parseInt(text.substring(0, text.length() - 1)), true);
    }
}
