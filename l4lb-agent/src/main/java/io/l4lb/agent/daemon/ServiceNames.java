// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Service;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The configured services by what they are in the kernel. */
final class ServiceNames {
    private final Map<ServiceKey, String> names = new HashMap<>();
    private final List<Service> services;

    ServiceNames(Config config) {
        services = config.services();
        services.forEach(service -> ServiceKey.allOf(service).forEach(key -> names.put(key, service.name())));
    }

    /** The name; of a service that is in the kernel alone, its key in words. */
    String of(ServiceKey key) {
        return names.getOrDefault(key, key.toString());
    }

    /**
     * What a service is in the kernel; everything, if the name is empty.
     *
     * @throws ControlException there is no such service
     */
    List<ServiceKey> keys(String name) {
        if (name.isEmpty()) {
            return List.copyOf(names.keySet());
        }
        return services.stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .map(ServiceKey::allOf)
                .orElseThrow(() -> ControlException.refused("no service is named \"" + name + "\""));
    }
}
