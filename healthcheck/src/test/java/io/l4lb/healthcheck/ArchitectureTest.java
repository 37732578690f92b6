// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.Test;

/** What each room may import: no other module of ours anywhere, and sockets in the epoll room only. */
@AnalyzeClasses(packages = "io.l4lb.healthcheck", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule PURE_ROOM = classes()
            .that()
            .resideInAnyPackage("io.l4lb.healthcheck", "io.l4lb.healthcheck.check", "io.l4lb.healthcheck.load")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.l4lb.healthcheck",
                    "io.l4lb.healthcheck.check",
                    "io.l4lb.healthcheck.load",
                    "java.lang..",
                    "java.io",
                    "java.math",
                    "java.net",
                    "java.nio..",
                    "java.time",
                    "java.util..",
                    "com.fasterxml.jackson..",
                    "com.google.protobuf..",
                    "com.google.re2j",
                    "org.HdrHistogram",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule EPOLL_ROOM = classes()
            .that()
            .resideInAPackage("io.l4lb.healthcheck.epoll")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.l4lb.healthcheck..",
                    "java..",
                    "javax.net.ssl..",
                    "javax.security.auth.x500",
                    "io.netty..",
                    "com.google.protobuf..",
                    "org.jspecify..");

    /** Breaks the first rule. */
    private interface KnowsASocket extends EventLoop {}

    @Test
    void aViolationIsSeen() {
        JavaClasses intruder = new ClassFileImporter().importClasses(KnowsASocket.class);
        assertTrue(PURE_ROOM.evaluate(intruder).hasViolation());
    }
}
