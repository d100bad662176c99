/* The hooks of atomic operations, by size. In a thread that is not ours they are plain atomic operations. */
#include "wide.h"

/* Newer processors than this code knows give hints in the upper bits of an order. */
#define ORDER(order) ((order) & 15)

#define HOOK(result, bits, name, ...) \
    CS_PUBLIC result __tsan_atomic##bits##_##name(__VA_ARGS__); \
    CS_PUBLIC result __tsan_atomic##bits##_##name(__VA_ARGS__)

#define UPDATE(bits, type, name, update, real) \
    HOOK(type, bits, name, volatile type *address, type operand, int order) \
    { \
        CS_ENTER(self, real); \
        type before = (type)cs_atomic_update(self, address, sizeof(type), update, operand, ORDER(order)); \
        return cs_leave(self, before); \
    }

#define COMPARE(bits, type, name, weak, real) \
    HOOK(int, bits, name, volatile type *address, type *expected, type desired, int order, int failure) \
    { \
        CS_ENTER(self, real); \
        cs_wide found = *expected; \
        bool done = \
            cs_atomic_compare(self, address, sizeof(type), &found, desired, ORDER(order), ORDER(failure), weak); \
        if (!done) { \
            *expected = (type)found; \
        } \
        return cs_leave(self, done); \
    }

#define HOOKS(bits, type, LOAD, STORE, CHANGE, EXCHANGE) \
    HOOK(type, bits, load, const volatile type *address, int order) \
    { \
        CS_ENTER(self, LOAD(address)); \
        type value = (type)cs_atomic_load(self, address, sizeof(type), ORDER(order)); \
        return cs_leave(self, value); \
    } \
    HOOK(void, bits, store, volatile type *address, type value, int order) \
    { \
        CS_ENTER(self, STORE(address, value)); \
        cs_atomic_store(self, address, sizeof(type), value, ORDER(order)); \
        self->inside = false; \
    } \
    UPDATE(bits, type, exchange, CS_EXCHANGE, CHANGE(exchange_n, address, operand, CS_EXCHANGE)) \
    UPDATE(bits, type, fetch_add, CS_ADD, CHANGE(fetch_add, address, operand, CS_ADD)) \
    UPDATE(bits, type, fetch_sub, CS_SUB, CHANGE(fetch_sub, address, operand, CS_SUB)) \
    UPDATE(bits, type, fetch_and, CS_AND, CHANGE(fetch_and, address, operand, CS_AND)) \
    UPDATE(bits, type, fetch_or, CS_OR, CHANGE(fetch_or, address, operand, CS_OR)) \
    UPDATE(bits, type, fetch_xor, CS_XOR, CHANGE(fetch_xor, address, operand, CS_XOR)) \
    UPDATE(bits, type, fetch_nand, CS_NAND, CHANGE(fetch_nand, address, operand, CS_NAND)) \
    COMPARE(bits, type, compare_exchange_strong, false, EXCHANGE(address, expected, desired)) \
    COMPARE(bits, type, compare_exchange_weak, true, EXCHANGE(address, expected, desired)) \
    HOOK(type, bits, compare_exchange_val, volatile type *address, type expected, type desired, int order, \
         int failure) \
    { \
        CS_ENTER(self, (EXCHANGE(address, &expected, desired), expected)); \
        cs_wide found = expected; \
        cs_atomic_compare(self, address, sizeof(type), &found, desired, ORDER(order), ORDER(failure), false); \
        return cs_leave(self, (type)found); \
    }

#define REAL_LOAD(address) __atomic_load_n(address, __ATOMIC_SEQ_CST)
#define REAL_STORE(address, value) __atomic_store_n(address, value, __ATOMIC_SEQ_CST)
#define REAL_CHANGE(name, address, operand, update) __atomic_##name(address, operand, __ATOMIC_SEQ_CST)
#define REAL_EXCHANGE(address, expected, desired) \
    __atomic_compare_exchange_n(address, expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

HOOKS(8, uint8_t, REAL_LOAD, REAL_STORE, REAL_CHANGE, REAL_EXCHANGE)
HOOKS(16, uint16_t, REAL_LOAD, REAL_STORE, REAL_CHANGE, REAL_EXCHANGE)
HOOKS(32, uint32_t, REAL_LOAD, REAL_STORE, REAL_CHANGE, REAL_EXCHANGE)
HOOKS(64, uint64_t, REAL_LOAD, REAL_STORE, REAL_CHANGE, REAL_EXCHANGE)

#define WIDE_CHANGE(name, address, operand, update) cs_wide_update(address, operand, update)

HOOKS(128, cs_wide, cs_wide_load, cs_wide_store, WIDE_CHANGE, cs_wide_exchange)
