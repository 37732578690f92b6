// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.file.FileBytes;
import io.l4lb.agent.file.FileProblem;
import io.l4lb.agent.model.IpText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a {@link SetupRecord} outlives the command. A change is in it before it is made, so that one that was cut short can
 * be undone too. Held by a lock while it is open.
 */
final class StateFile implements AutoCloseable {
    private static final int VERSION = 1;
    /** Larger files are none of ours. */
    private static final int MAX_BYTES = 4 << 20;

    private final Path file;
    private final FileChannel lock;

    private StateFile(Path file, FileChannel lock) {
        this.file = file;
        this.lock = lock;
    }

    /** As JSON. */
    private record Document(int version, Request request, List<Row> pieces) {}

    /** A {@link SetupRequest}. */
    private record Request(
            List<String> vips,
            String interfaceName,
            String method,
            List<String> directorSources,
            String pinDirectory) {}

    /** An {@link Entry}. */
    private record Row(String kind, String name, String before, String after) {}

    /** @throws RealServerException another command holds it, or the directory cannot be written */
    static StateFile open(Path file) {
        Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
        try {
            Files.createDirectories(
                    Objects.requireNonNull(lockFile.toAbsolutePath().getParent()));
            FileChannel lock = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!locked(lock)) {
                lock.close();
                throw new RealServerException("another l4lb real command is running: it holds " + lockFile);
            }
            return new StateFile(file, lock);
        } catch (IOException e) {
            throw new RealServerException("cannot use " + file + ": " + FileProblem.words(e), e);
        }
    }

    private static boolean locked(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // held by this very process
        }
    }

    /** Empty if nothing was set up. */
    static Optional<SetupRecord> load(Path file) {
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        try {
            byte[] bytes = FileBytes.read(file, MAX_BYTES);
            Document document = Json.read(Json.parse(new String(bytes, StandardCharsets.UTF_8)), Document.class);
            if (document.version() < 1) {
                throw new IllegalArgumentException("no version");
            }
            if (document.version() != VERSION) {
                throw new RealServerException(
                        file + " is of version " + document.version() + ", this l4lb knows " + VERSION);
            }
            List<Entry> entries = document.pieces().stream()
                    .map(row -> new Entry(new Item(Kind.valueOf(row.kind()), row.name()), row.before(), row.after()))
                    .toList();
            return Optional.of(new SetupRecord(request(document.request()), entries));
        } catch (StreamReadException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new RealServerException(file + " is not what l4lb real setup writes: no JSON in line " + line, e);
        } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
            throw new RealServerException(file + " is not what l4lb real setup writes", e);
        } catch (IOException e) {
            throw new RealServerException(file + " " + e.getMessage(), e);
        }
    }

    private static SetupRequest request(Request saved) {
        return new SetupRequest(
                saved.vips().stream().map(Prefix::address).toList(),
                Optional.of(saved.interfaceName()),
                Method.parse(saved.method()),
                saved.directorSources().stream().map(Prefix::parse).toList(),
                Path.of(saved.pinDirectory()));
    }

    Optional<SetupRecord> load() {
        return load(file);
    }

    /** Either all of it is written, or the file stays as it was. */
    void save(SetupRecord record) {
        SetupRequest request = record.request();
        Document document = new Document(
                VERSION,
                new Request(
                        request.vips().stream().map(IpText::of).toList(),
                        request.interfaceName().orElse(""),
                        request.method().text(),
                        request.directorSources().stream().map(Prefix::toString).toList(),
                        request.pinDirectory().toString()),
                record.entries().stream()
                        .map(entry ->
                                new Row(entry.item().kind().name(), entry.item().name(), entry.before(), entry.after()))
                        .toList());
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(Json.pretty(document) + "\n");
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new RealServerException("cannot write " + file + ": " + FileProblem.words(e), e);
        }
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new RealServerException("cannot remove " + file + ": " + FileProblem.words(e), e);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new RealServerException("cannot release the lock of " + file + ": " + FileProblem.words(e), e);
        }
    }
}
