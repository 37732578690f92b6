// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

/**
 * How a command ended.
 *
 * @param exit its status
 * @param output what it wrote to its standard output
 * @param errors what it wrote to its standard error
 */
public record Outcome(int exit, String output, String errors) {}
