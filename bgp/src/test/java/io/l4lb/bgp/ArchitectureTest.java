// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** What this module may import: the JDK, Jackson and nullness annotations; no other module and no native code. */
class ArchitectureTest {
    private static final String ROOM = "io.l4lb.bgp";

    private static final ArchRule ALLOWED = classes()
            .that()
            .resideInAPackage(ROOM + "..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(ROOM + "..", "java..", "com.fasterxml.jackson..", "org.jspecify..");

    @Test
    void importsOnlyWhatIsAllowed() {
        JavaClasses production = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOM);
        assertTrue(production.contain(RouteSpeaker.class), "the rule looks at production classes");
        ALLOWED.check(production);
    }

    @Test
    void aViolationIsSeen() {
        assertTrue(ALLOWED.evaluate(new ClassFileImporter().importClasses(Violation.class))
                .hasViolation());
        assertFalse(ALLOWED.evaluate(new ClassFileImporter().importClasses(Prefix.class))
                .hasViolation());
    }

    /** Depends on a third party's class. */
    static final class Violation {
        static Class<?> foreign() {
            return ArchRule.class;
        }
    }
}
