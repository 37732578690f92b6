// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

@AnalyzeClasses(packages = "io.l4lb.test", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule ONLY_THE_NATIVE_ROOM_KNOWS_JNR = noClasses()
            .that()
            .resideOutsideOfPackage("io.l4lb.test.internal.jnr")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jnr..");

    @ArchTest
    static final ArchRule KNOWS_NO_OTHER_MODULE = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.l4lb.test..", "java..", "jnr.ffi..", "org.junit..", "org.jspecify..");

    /** Breaks the first rule. */
    static final class Offender {
        jnr.ffi.Runtime outsideItsRoom = jnr.ffi.Runtime.getSystemRuntime();
    }

    @Test
    void aViolationIsSeen() {
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);
        assertTrue(ONLY_THE_NATIVE_ROOM_KNOWS_JNR.evaluate(offender).hasViolation());
    }
}
