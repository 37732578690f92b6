// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.TcpCheck;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Run as a process of its own: probes a closed port with descriptors left, with none, and with some again. */
final class StarvedProbes {
    private StarvedProbes() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress closed;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = (InetSocketAddress) listener.getLocalSocketAddress();
        }
        try (ProbeBench bench = new ProbeBench()) {
            // All classes are loaded by this, which takes descriptors.
            print(bench.probe(closed, new TcpCheck(), ProbeBench.PATIENT));
            List<FileInputStream> taken = takeAll();
            Verdict starved = bench.probe(closed, new TcpCheck(), ProbeBench.PATIENT);
            for (FileInputStream one : taken) {
                one.close();
            }
            print(starved);
            print(bench.probe(closed, new TcpCheck(), ProbeBench.PATIENT));
        }
    }

    private static List<FileInputStream> takeAll() {
        List<FileInputStream> taken = new ArrayList<>();
        while (true) {
            try {
                taken.add(new FileInputStream("/dev/null"));
            } catch (IOException e) {
                return taken;
            }
        }
    }

    private static void print(Verdict verdict) {
        System.out.println(verdict.outcome() + " " + verdict.reason());
    }
}
