// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

@AnalyzeClasses(
        packages = {"io.l4lb.netlink", "io.l4lb.ipvs"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule ONLY_THE_NATIVE_ROOM_KNOWS_JNR = noClasses()
            .that()
            .resideOutsideOfPackage("..internal.jnr")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jnr..");

    @ArchTest
    static final ArchRule KNOWS_NO_OTHER_MODULE = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.l4lb.netlink..", "io.l4lb.ipvs..", "java..", "jnr..", "org.jspecify.annotations");

    @ArchTest
    static final ArchRule LAYERS = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("netlink")
            .definedBy("io.l4lb.netlink", "io.l4lb.netlink.internal..")
            .layer("route")
            .definedBy("io.l4lb.netlink.route")
            .layer("generic")
            .definedBy("io.l4lb.netlink.generic")
            .layer("ipvs")
            .definedBy("io.l4lb.ipvs")
            .layer("fake")
            .definedBy("io.l4lb.netlink.fake", "io.l4lb.ipvs.fake")
            .whereLayer("route")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("generic")
            .mayOnlyBeAccessedByLayers("ipvs", "fake")
            .whereLayer("ipvs")
            .mayOnlyBeAccessedByLayers("fake")
            .whereLayer("fake")
            .mayNotBeAccessedByAnyLayer();

    @Test
    void aViolationIsSeen() {
        JavaClasses misplaced = new ClassFileImporter().importPackages("io.l4lb.netlink.misplaced");
        assertTrue(ONLY_THE_NATIVE_ROOM_KNOWS_JNR.evaluate(misplaced).hasViolation());
    }
}
