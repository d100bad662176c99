"""The attributes of GNU C and Clang: what each of them means for a program.

An attribute that is in no table here is kept, and a thread stops where it matters, as for `REFUSED`.
"""

import re
from collections.abc import Iterable

_OPTIMISATION = "it says what a compiler may assume or has to do, not what the program does"
_CHECKING = "it asks for warnings, or avoids them"
_LINKING = "it says where code and objects are, or who sees their names"
_INSTRUMENTATION = "it is about code that tools insert"
_CALLING = "it says how a call passes its arguments, which both sides do alike"

HARMLESS = {
    name: reason
    for reason, names in {
        _OPTIMISATION: (
            "alloc_align alloc_size always_inline artificial assume_aligned cold const externally_visible flatten hot "
            "leaf likely malloc may_alias minsize musttail no_builtin noclone noduplicate noescape noinline noipa "
            "no_icf nonnull no_reorder noreturn nothrow nomerge not_tail_called optimize optnone ownership_holds "
            "ownership_returns ownership_takes pure returns_nonnull returns_twice reproducible simd target "
            "target_clones unlikely unsequenced uninitialized expected_throw"
        ),
        _CHECKING: (
            "access acquire_capability acquire_shared_capability acquired_after acquired_before assert_capability "
            "assert_shared_capability availability bitwise btf_decl_tag btf_type_tag capability context counted_by "
            "deprecated designated_init diagnose_as_builtin enum_extensibility error exclusive_lock_function "
            "exclusive_locks_required exclusive_trylock_function fallthrough fd_arg fd_arg_read fd_arg_write "
            "flag_enum force format format_arg guarded_by guarded_var lock_returned lockable locks_excluded "
            "maybe_unused no_thread_safety_analysis nocast noderef nodiscard nonstring null_terminated_string_arg "
            "pt_guarded_by pt_guarded_var release_capability release_generic_capability release_shared_capability "
            "requires_capability requires_shared_capability safe scoped_lockable sentinel shared_lock_function "
            "shared_locks_required shared_trylock_function strict_flex_array tainted_args try_acquire_capability "
            "try_acquire_shared_capability unavailable unlock_function unused warn_if_not_aligned warn_unused "
            "warn_unused_result warning"
        ),
        _LINKING: (
            "common dllexport dllimport hidden no_dllimport nocommon nodebug noplt retain section tls_model used "
            "visibility"
        ),
        _INSTRUMENTATION: (
            "cf_check disable_sanitizer_instrumentation disable_tail_calls fentry_name fentry_section function_return "
            "hotpatch indirect_branch indirect_return no_address_safety_analysis no_caller_saved_registers "
            "no_instrument_function no_profile_instrument_function no_sanitize no_sanitize_address "
            "no_sanitize_coverage no_sanitize_memory no_sanitize_thread no_sanitize_undefined "
            "no_speculative_load_hardening no_split_stack no_stack_limit no_stack_protector nocf_check "
            "patchable_function_entry preserve_access_index speculative_load_hardening stack_protect "
            "xray_always_instrument xray_never_instrument zero_call_used_regs"
        ),
        _CALLING: (
            "cdecl fastcall force_align_arg_pointer ms_abi ms_hook_prologue pcs preserve_all preserve_most regcall "
            "regparm sseregparm stdcall sysv_abi thiscall vectorcall"
        ),
    }.items()
    for name in names.split()
}
"""Attributes that change nothing, which are dropped → why they do not."""

MODELLED = frozenset({
    "alias", "aligned", "cleanup", "constructor", "destructor", "gcc_struct", "gnu_inline", "mode", "packed",
    "transparent_union", "weak", "weakref",
})  # fmt: skip
"""Attributes with a meaning that stages know."""

REFUSED = frozenset({
    "address_space", "assume", "copy", "ext_vector_type", "hardbool", "ifunc", "interrupt", "loader_uninitialized",
    "ms_struct", "naked", "no_init_all", "noinit", "overloadable", "persistent", "scalar_storage_order", "selectany",
    "symver", "vector_size",
})  # fmt: skip
"""Attributes that are known to change the meaning of a program in ways that are not modelled."""

_RUN = re.compile(r'"\.(?:(?:pre)?init|fini|ctors|dtors)(?:_array)?[".]')
"""How the names of sections begin whose contents are called before or after main."""


def is_harmless(name: str, arguments: Iterable[str]) -> bool:
    """Whether the attribute *name*, without underscores around it, with these tokens as *arguments* changes nothing."""
    return name in HARMLESS and not (name == "section" and any(map(_RUN.match, arguments)))
