// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** What this module may import: what it measures, what it measures with, and what reads options and writes JSON. */
class ArchitectureTest {
    private static final String ROOM = "io.l4lb.benchmarks";

    private static final ArchRule ALLOWED = classes()
            .that()
            .resideInAPackage(ROOM + "..")
            .and()
            .resideOutsideOfPackage(ROOM + ".jmh_generated")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    ROOM,
                    ROOM + ".ipvs",
                    ROOM + ".packets",
                    ROOM + ".report",
                    "io.l4lb.hashing..",
                    "io.l4lb.agent..",
                    "io.l4lb.ipvs",
                    "io.l4lb.netlink..",
                    "io.l4lb.xdp",
                    "io.l4lb.test",
                    "org.openjdk.jmh..",
                    "picocli",
                    "com.fasterxml.jackson..",
                    "java..",
                    "org.jspecify..");

    @Test
    void importsWhatItMayAlone() {
        JavaClasses production = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOM);
        assertTrue(production.contain(Bench.class), "the rule looks at production classes");
        ALLOWED.check(production);
    }

    @Test
    void aViolationIsSeen() {
        assertTrue(ALLOWED.evaluate(new ClassFileImporter().importClasses(Violation.class))
                .hasViolation());
        assertFalse(ALLOWED.evaluate(new ClassFileImporter().importClasses(Bench.class))
                .hasViolation());
    }

    /** Depends on a third party's class. */
    static final class Violation {
        static Class<?> foreign() {
            return ArchRule.class;
        }
    }
}
