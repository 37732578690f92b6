// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which IPVS services are ours, since the kernel has no owner of a service: one small file each, written before the service
 * is, removed after it. What another boot or another network namespace left is thrown away: those services are gone. For the
 * reconcile thread alone.
 */
public final class OwnedServices {
    private static final String SUFFIX = ".json";

    private final Path directory;
    private final Incarnation incarnation;
    private final Map<OwnedKey, Map<InetAddress, Integer>> written = new HashMap<>();
    private List<String> notes = List.of();

    /** @param stateDirectory the agent's; the files are in its directory {@code ipvs} */
    public OwnedServices(Path stateDirectory, Incarnation incarnation) {
        this.directory = WholeFile.directory(stateDirectory.resolve("ipvs"));
        this.incarnation = incarnation;
    }

    /**
     * Reads what is claimed, in the order of the files' names. Files that are none of ours, or broken, are left where they
     * are, and {@link #notes} says so.
     *
     * @throws DataplaneException the directory cannot be read
     */
    public Map<OwnedKey, Map<InetAddress, Integer>> claims() {
        List<String> found = new ArrayList<>();
        Map<OwnedKey, Map<InetAddress, Integer>> claims = new LinkedHashMap<>();
        for (Path file : files()) {
            if (file.toString().endsWith(WholeFile.UNFINISHED)) {
                WholeFile.delete(file);
                continue;
            }
            try {
                ClaimFile claim = ClaimFile.read(file);
                if (!claim.incarnation().equals(incarnation)) {
                    WholeFile.delete(file);
                } else if (!file.equals(file(claim.key()))) {
                    throw new IOException("holds the service " + claim.key() + ", whose file has that name");
                } else {
                    claims.put(claim.key(), Collections.unmodifiableMap(claim.nominalLevels()));
                }
            } catch (IOException e) {
                found.add(file + " " + e.getMessage()
                        + ": the IPVS service that it may stand for is not taken for the agent's");
            }
        }
        written.clear();
        written.putAll(claims);
        notes = List.copyOf(found);
        return claims;
    }

    /** What was wrong with files when {@link #claims} read them. */
    public List<String> notes() {
        return notes;
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new DataplaneException("cannot read " + directory + ": " + FileProblem.words(e), e);
        } catch (UncheckedIOException e) {
            throw new DataplaneException("cannot read " + directory + ": " + FileProblem.words(e), e);
        }
    }

    /**
     * To be called before a service is made, or its reals or their nominal levels are changed. Costs nothing if nothing
     * changes.
     *
     * @throws DataplaneException it cannot be written (a full disk); what was claimed before still is
     */
    public void claim(OwnedKey key, Map<InetAddress, Integer> nominalLevels) {
        if (nominalLevels.equals(written.get(key))) {
            return;
        }
        WholeFile.write(file(key), ClaimFile.encode(incarnation, key, nominalLevels));
        written.put(key, Collections.unmodifiableMap(new LinkedHashMap<>(nominalLevels)));
    }

    /** To be called after a service was removed. */
    public void release(OwnedKey key) {
        WholeFile.delete(file(key));
        written.remove(key);
    }

    private Path file(OwnedKey key) {
        return directory.resolve(key + SUFFIX);
    }
}
