// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

/** A thing, and the value that it has to have. */
public record Piece(Item item, String value) {
    static Piece present(Item item) {
        return new Piece(item, Item.PRESENT);
    }

    static Piece setting(String path, int value) {
        return new Piece(Item.setting(path), Integer.toString(value));
    }
}
