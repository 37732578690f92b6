// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Run in a namespace or without privileges as a process of its own: listens on a loopback address, probes itself with each
 * mark, and prints a line for each.
 */
final class MarkedProbes {
    private MarkedProbes() {}

    /** Arguments: the address, then marks as unsigned hexadecimal numbers. */
    public static void main(String[] arguments) throws Exception {
        InetAddress address = InetAddress.getAllByName(arguments[0])[0];
        try (ServerSocket listener = new ServerSocket(0, 50, address);
                ProbeBench bench = new ProbeBench()) {
            InetSocketAddress destination = (InetSocketAddress) listener.getLocalSocketAddress();
            for (int i = 1; i < arguments.length; i++) {
                int mark = Integer.parseUnsignedInt(arguments[i], 16);
                System.out.println(arguments[i] + " "
                        + ProbeBench.await(bench.start(destination, mark, new TcpCheck(), ProbeBench.PATIENT))
                                .reason());
            }
        }
    }
}
