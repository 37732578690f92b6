// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the command line and the control socket may know of the agent. */
class ImportsTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.l4lb.agent.cli", "io.l4lb.agent.control");

    @Test
    void controlKnowsStatusOnly() {
        ArchRule rule = onlyKnows("io.l4lb.agent.control", "io.l4lb.agent.status");
        rule.check(CLASSES);
    }

    @Test
    void cliKnowsWhatItShows() {
        onlyKnows(
                        "io.l4lb.agent.cli",
                        "io.l4lb.agent.control",
                        "io.l4lb.agent.status",
                        "io.l4lb.agent.config",
                        "io.l4lb.agent.model")
                .check(CLASSES);
    }

    @Test
    void onlyControlKnowsNetty() {
        noClasses()
                .that()
                .resideInAPackage("io.l4lb.agent.cli")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(CLASSES);
    }

    @Test
    void aViolationIsSeen() {
        ArchRule tooStrict = onlyKnows("io.l4lb.agent.cli", "io.l4lb.agent.status");
        assertTrue(tooStrict.evaluate(CLASSES).hasViolation());
    }

    private static ArchRule onlyKnows(String room, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are in other rooms of l4lb",
                        c -> c.getPackageName().startsWith("io.l4lb.")
                                && !c.getPackageName().equals(room)
                                && !Set.of(others).contains(c.getPackageName())));
    }
}
