// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import java.nio.ByteBuffer;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.Delegate;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import jnr.ffi.types.size_t;
import jnr.ffi.types.u_int64_t;
import org.jspecify.annotations.Nullable;

/**
 * libbpf 1.x, as far as it is used. Its pointers to objects, maps and programs are opaque and pass as
 * longs. Functions that return int answer a negative errno; those that return a pointer answer NULL and
 * set errno (libbpf_legacy.h, strict mode).
 */
public interface LibBpf {
    /** libbpf_print_fn_t; a va_list parameter is a pointer on the 64-bit ABIs of Linux. */
    interface Print {
        @Delegate
        int print(int level, Pointer format, Pointer arguments);
    }

    /** ring_buffer_sample_fn; a negative answer ends the poll. */
    interface Sample {
        @Delegate
        int take(Pointer context, Pointer record, @size_t long size);
    }

    long libbpf_set_print(Print print);

    int libbpf_num_possible_cpus();

    long bpf_object__open_mem(@In byte[] elf, @size_t long size, Pointer options);

    int bpf_object__load(long object);

    void bpf_object__close(long object);

    long bpf_object__find_map_by_name(long object, String name);

    long bpf_object__find_program_by_name(long object, String name);

    long bpf_object__btf(long object);

    int bpf_map__fd(long map);

    int bpf_map__type(long map);

    int bpf_map__key_size(long map);

    int bpf_map__value_size(long map);

    int bpf_map__max_entries(long map);

    int bpf_map__map_flags(long map);

    int bpf_map__set_max_entries(long map, int entries);

    int bpf_map__reuse_fd(long map, int descriptor);

    int bpf_map__set_map_flags(long map, int flags);

    Pointer bpf_map__initial_value(long map, @Out long[] size);

    int bpf_map__set_initial_value(long map, @In byte[] value, @size_t long size);

    int bpf_map__set_pin_path(long map, String path);

    int bpf_program__fd(long program);

    int bpf_map_create(int type, String name, int keySize, int valueSize, int entries, @In byte[] options);

    int bpf_map_lookup_elem(int descriptor, @In byte[] key, @Out byte[] value);

    int bpf_map_update_elem(int descriptor, @In byte[] key, @In byte[] value, @u_int64_t long flags);

    int bpf_map_delete_elem(int descriptor, @In byte[] key);

    int bpf_map_get_next_key(int descriptor, @In byte @Nullable [] key, @Out byte[] next);

    int bpf_map_update_batch(
            int descriptor, @In int[] keys, @In int[] values, @In @Out int[] count, @In byte @Nullable [] options);

    int bpf_map_update_batch(
            int descriptor, @In byte[] keys, @In byte[] values, @In @Out int[] count, @In byte @Nullable [] options);

    int bpf_map_lookup_batch(
            int descriptor,
            @In int @Nullable [] from,
            @Out int[] next,
            @Out int[] keys,
            @Out int[] values,
            @In @Out int[] count,
            @In byte @Nullable [] options);

    /** The same with direct buffers, which are written where they are. */
    int bpf_map_lookup_batch(
            int descriptor,
            @Nullable ByteBuffer from,
            ByteBuffer next,
            ByteBuffer keys,
            ByteBuffer values,
            @In @Out int[] count,
            @In byte @Nullable [] options);

    int bpf_map_get_fd_by_id(int id);

    int bpf_prog_get_fd_by_id(int id);

    int bpf_obj_get_info_by_fd(int descriptor, @In @Out byte[] info, @In @Out int[] length);

    int bpf_obj_pin(int descriptor, String path);

    int bpf_obj_get(String path);

    int bpf_prog_test_run_opts(int descriptor, Pointer options);

    int bpf_link_create(int program, int target, int attachType, @In byte[] options);

    int bpf_link_update(int link, int program, @In byte @Nullable [] options);

    int bpf_link_detach(int link);

    int bpf_link_get_next_id(int id, @Out int[] next);

    int bpf_link_get_fd_by_id(int id);

    int bpf_xdp_attach(int interfaceIndex, int program, int flags, @In byte @Nullable [] options);

    int bpf_xdp_detach(int interfaceIndex, int flags, @In byte @Nullable [] options);

    int bpf_xdp_query(int interfaceIndex, int flags, @In @Out byte[] options);

    long ring_buffer__new(int descriptor, Sample sample, @Nullable Pointer context, @Nullable Pointer options);

    int ring_buffer__poll(long ring, int milliseconds);

    void ring_buffer__free(long ring);

    int btf__find_by_name_kind(long btf, String name, int kind);

    Pointer btf__type_by_id(long btf, int id);

    String btf__name_by_offset(long btf, int offset);

    long btf__resolve_size(long btf, int id);
}
