// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** IPVS_CMD_ of include/uapi/linux/ip_vs.h. */
final class Command {
    static final int NEW_SERVICE = 1;
    static final int SET_SERVICE = 2;
    static final int DEL_SERVICE = 3;
    static final int GET_SERVICE = 4;
    static final int NEW_DEST = 5;
    static final int SET_DEST = 6;
    static final int DEL_DEST = 7;
    static final int GET_DEST = 8;
    static final int NEW_DAEMON = 9;
    static final int DEL_DAEMON = 10;
    static final int GET_DAEMON = 11;
    static final int SET_CONFIG = 12;
    static final int GET_CONFIG = 13;
    static final int GET_INFO = 15;
    static final int ZERO = 16;
    static final int FLUSH = 17;

    private Command() {}
}
