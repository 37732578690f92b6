// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.util.Optional;

/**
 * The tables of the dataplanes.
 *
 * @param chosen of the one that runs
 * @param other of the one that does not, if it is there
 */
public record DataplaneSections(DataplaneSection chosen, Optional<DataplaneSection> other) {}
