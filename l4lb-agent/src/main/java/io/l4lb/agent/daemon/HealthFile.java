// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.file.FileProblem;
import io.l4lb.agent.reconcile.HealthRecord;
import io.l4lb.agent.reconcile.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Where what is known of health outlives the agent: the file {@code health.json} of its state directory, written on a thread of its
 * own when something has changed, but not more often than the interval. {@link #accept} may be called on any thread and does not block.
 */
final class HealthFile implements Consumer<ReconcileLoop.Pass>, AutoCloseable {
    static final Duration INTERVAL = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(HealthFile.class.getName());

    private final Path file;
    private final HealthRecord earlier;
    private volatile Optional<Outcome> latest = Optional.empty();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "health-file");
        made.setDaemon(true);
        return made;
    });
    // The thread's own.
    private HealthRecord written;
    private String problem = "";

    private HealthFile(Path file, HealthRecord earlier) {
        this.file = file;
        this.earlier = earlier;
        this.written = earlier;
    }

    /**
     * Reads what the predecessor has left. A file that is damaged, or another version's, is kept beside it.
     *
     * @param note is told of that
     */
    static HealthFile open(Path directory, Duration interval, Consumer<String> note) {
        Path path = directory.resolve("health.json");
        HealthFile file = new HealthFile(path, load(path, note));
        var unused = file.thread.scheduleWithFixedDelay(
                file::write, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return file;
    }

    private static HealthRecord load(Path path, Consumer<String> note) {
        if (Files.notExists(path)) {
            return HealthRecord.NONE;
        }
        try {
            return HealthJson.read(path);
        } catch (IOException e) {
            note.accept(path + " " + e.getMessage() + ": health starts anew" + keepAside(path));
            return HealthRecord.NONE;
        }
    }

    private static String keepAside(Path path) {
        Path aside = path.resolveSibling(path.getFileName() + ".damaged");
        try {
            Files.move(path, aside, StandardCopyOption.REPLACE_EXISTING);
            return ", and it is kept as " + aside;
        } catch (IOException e) {
            return ""; // the next one takes its place
        }
    }

    /** What the predecessor knew. */
    HealthRecord earlier() {
        return earlier;
    }

    @Override
    public void accept(ReconcileLoop.Pass pass) {
        latest = pass.outcome();
    }

    /** On the thread; an exception would end the schedule. */
    private void write() {
        try {
            latest.map(HealthRecord::of).filter(record -> !record.like(written)).ifPresent(this::save);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "writing " + file + " failed", e);
        }
    }

    /** Either all of it is written, or the file stays as it was. */
    private void save(HealthRecord record) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(HealthJson.bytes(record));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            written = record;
            said("");
        } catch (IOException e) {
            said("cannot write " + file + ": " + FileProblem.words(e));
        }
    }

    private void said(String now) {
        if (!now.equals(problem) && !now.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "{0}", now);
        }
        problem = now;
    }

    /** Writes what has changed since; for after the last pass. */
    @Override
    public void close() {
        var unused = thread.submit(this::write);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "{0} is not written yet", file);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
