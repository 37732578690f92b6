// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.l4lb.bpf.BpfProgram;
import org.junit.jupiter.api.Test;

/** What this module may use. */
class ArchitectureTest {
    private static final ArchRule ALLOWED = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "jnr.ffi..", "io.l4lb.xdp..");

    private static final ArchRule JNR_IN_ITS_ROOM = noClasses()
            .that()
            .resideOutsideOfPackage("..internal.jnr..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jnr..");

    private static JavaClasses main() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.l4lb.xdp");
    }

    @Test
    void usesOnlyWhatIsAllowed() {
        ALLOWED.check(main());
    }

    @Test
    void jnrStaysInItsRoom() {
        JNR_IN_ITS_ROOM.check(main());
    }

    /** Uses what the module must not, in both ways. */
    static final class Offender {
        BpfProgram otherModule = BpfProgram.PASS;
        jnr.ffi.Runtime outsideItsRoom = jnr.ffi.Runtime.getSystemRuntime();
    }

    @Test
    void seesViolations() {
        JavaClasses offender = new ClassFileImporter().importClasses(Offender.class);
        assertThrows(AssertionError.class, () -> ALLOWED.check(offender));
        assertThrows(AssertionError.class, () -> JNR_IN_ITS_ROOM.check(offender));
    }
}
