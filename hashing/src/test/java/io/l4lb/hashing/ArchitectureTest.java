// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** What this module may import: the JDK's plain parts and nullness annotations. */
class ArchitectureTest {
    private static final String ROOM = "io.l4lb.hashing";

    private static final ArchRule PURE_JAVA = classes()
            .that()
            .resideInAPackage(ROOM + "..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(ROOM + "..", "java.lang..", "java.net", "java.nio..", "java.util..", "org.jspecify..");

    @Test
    void isPureJava() {
        JavaClasses production = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOM);
        assertTrue(production.contain(SipHash.class), "the rule looks at production classes");
        PURE_JAVA.check(production);
    }

    @Test
    void aViolationIsSeen() {
        assertTrue(PURE_JAVA
                .evaluate(new ClassFileImporter().importClasses(Violation.class))
                .hasViolation());
        assertFalse(PURE_JAVA
                .evaluate(new ClassFileImporter().importClasses(SipHash.class))
                .hasViolation());
    }

    /** Depends on a third party's class. */
    static final class Violation {
        static Class<?> foreign() {
            return ArchRule.class;
        }
    }
}
