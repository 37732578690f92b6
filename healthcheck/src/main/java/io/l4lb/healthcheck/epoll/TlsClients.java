// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.TlsSettings;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What the TLS probes of one prober share: read PEM texts, and the threads {@code health-tls} on which handshakes are computed, so
 * that public keys do not delay the other probes. Confined to the loop, but for {@link #execute}.
 */
final class TlsClients implements Executor {
    private static final int MOST_KEPT = 1024;
    private static final int MOST_THREADS = 4;
    private static final int IDLE_SECONDS = 10;

    /** That of settings which decides; many differ only in the server's name. */
    private record Key(boolean verify, Optional<String> authorities, Optional<TlsSettings.ClientCertificate> client) {}

    private final Map<Key, CompletableFuture<TlsMaterial>> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final SecureRandom random = new SecureRandom();
    private final ThreadPoolExecutor threads;

    TlsClients() {
        int count = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "health-tls");
                    thread.setDaemon(true);
                    return thread;
                });
        // Nobody closes a prober: its threads end when they have nothing to do.
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * What the settings' PEM texts say, read once. It may complete on another thread, and exceptionally with an
     * {@link IllegalArgumentException} or a {@link java.security.GeneralSecurityException} that says what is wrong with them.
     */
    CompletableFuture<TlsMaterial> material(TlsSettings settings) {
        Key key = new Key(settings.verify(), settings.authorities(), settings.client());
        CompletableFuture<TlsMaterial> known = kept.get(key);
        if (known == null) {
            known = CompletableFuture.supplyAsync(() -> TlsMaterial.of(settings), this);
            kept.put(key, known);
            if (kept.size() > MOST_KEPT) {
                kept.remove(kept.keySet().iterator().next()); // the one that was asked for longest ago
            }
        }
        return known;
    }

    SecureRandom random() {
        return random;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }
}
