// Searches over bytes, 16 at a time where the processor can, by instructions that Swift's own SIMD
// types cannot make.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

/// 16 bytes, or 16 answers: 0xFF for yes and 0 for no.
typedef __m128i cscan_chunk;

static inline cscan_chunk cscan_load(const uint8_t *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}
static inline void cscan_store(uint8_t *bytes, cscan_chunk chunk) {
  _mm_storeu_si128((__m128i *)bytes, chunk);
}
static inline cscan_chunk cscan_or(cscan_chunk left, cscan_chunk right) {
  return _mm_or_si128(left, right);
}
static inline cscan_chunk cscan_equal(cscan_chunk chunk, uint8_t byte) {
  return _mm_cmpeq_epi8(chunk, _mm_set1_epi8((char)byte));
}
static inline cscan_chunk cscan_control(cscan_chunk chunk) {
  return _mm_cmpeq_epi8(_mm_min_epu8(chunk, _mm_set1_epi8(0x1F)), chunk);
}
/// Bytes above 0x7F count as negative, so one comparison finds them and control characters.
static inline cscan_chunk cscan_control_or_high(cscan_chunk chunk) {
  return _mm_cmplt_epi8(chunk, _mm_set1_epi8(0x20));
}
static inline cscan_chunk cscan_high(cscan_chunk chunk) { return chunk; }
/// A bit for each byte whose highest bit is set, that of the first byte lowest.
typedef unsigned cscan_bits;
static inline cscan_bits cscan_bits_of(cscan_chunk hits) {
  return (unsigned)_mm_movemask_epi8(hits);
}
/// The index of the first byte of `bits`, which has one.
static inline unsigned cscan_first(cscan_bits bits) { return (unsigned)__builtin_ctz(bits); }
/// The bits of the bytes from index `skipped` on, which is below 16, counted from there.
static inline cscan_bits cscan_behind(cscan_bits bits, unsigned skipped) { return bits >> skipped; }
#define CSCAN_HAS_CHUNKS 1

#elif defined(__aarch64__)
#include <arm_neon.h>

typedef uint8x16_t cscan_chunk;

static inline cscan_chunk cscan_load(const uint8_t *bytes) { return vld1q_u8(bytes); }
static inline void cscan_store(uint8_t *bytes, cscan_chunk chunk) { vst1q_u8(bytes, chunk); }
static inline cscan_chunk cscan_or(cscan_chunk left, cscan_chunk right) {
  return vorrq_u8(left, right);
}
static inline cscan_chunk cscan_equal(cscan_chunk chunk, uint8_t byte) {
  return vceqq_u8(chunk, vdupq_n_u8(byte));
}
static inline cscan_chunk cscan_control(cscan_chunk chunk) {
  return vcltq_u8(chunk, vdupq_n_u8(0x20));
}
static inline cscan_chunk cscan_control_or_high(cscan_chunk chunk) {
  return vcltq_s8(vreinterpretq_s8_u8(chunk), vdupq_n_s8(0x20));
}
static inline cscan_chunk cscan_high(cscan_chunk chunk) {
  return vcgtq_u8(chunk, vdupq_n_u8(0x7F));
}
/// Four bits for each byte.
typedef uint64_t cscan_bits;
static inline cscan_bits cscan_bits_of(cscan_chunk hits) {
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hits), 4)), 0);
}
static inline unsigned cscan_first(cscan_bits bits) { return (unsigned)__builtin_ctzll(bits) >> 2; }
static inline cscan_bits cscan_behind(cscan_bits bits, unsigned skipped) {
  return bits >> (4 * skipped);
}
#define CSCAN_HAS_CHUNKS 1
#endif

// Defines a search for the first byte that `byte_hits` finds; `chunk_hits` finds it among 16.
#if CSCAN_HAS_CHUNKS
#define CSCAN_CHUNKS(chunk_hits)                                                                  \
  for (; index + 16 <= count; index += 16) {                                                      \
    cscan_chunk chunk = cscan_load(bytes + index);                                                \
    cscan_bits bits = cscan_bits_of(chunk_hits);                                                  \
    if (bits) return index + cscan_first(bits);                                                   \
  }                                                                                               \
  if (count >= 16 && index < count) {                                                             \
    cscan_chunk chunk = cscan_load(bytes + count - 16);                                           \
    cscan_bits bits = cscan_behind(cscan_bits_of(chunk_hits), (unsigned)(index + 16 - count));    \
    return bits ? index + cscan_first(bits) : count;                                              \
  }
#else
#define CSCAN_CHUNKS(chunk_hits)
#endif
#define CSCAN_SEARCH(name, chunk_hits, byte_hits)                                                 \
  __attribute__((always_inline)) static inline size_t name(                                       \
      const uint8_t *bytes, size_t start, size_t count) {                                         \
    size_t index = start;                                                                         \
    CSCAN_CHUNKS(chunk_hits)                                                                      \
    for (; index < count; index++) {                                                              \
      uint8_t byte = bytes[index];                                                                \
      if (byte_hits) break;                                                                       \
    }                                                                                             \
    return index;                                                                                 \
  }

/// The index of the first byte of `bytes[start..<count]` that ends or breaks a run inside a JSON
/// string: a quote, a backslash, or a control character; `count` when there is none.
CSCAN_SEARCH(
    cscan_string_run,
    cscan_or(cscan_or(cscan_equal(chunk, '"'), cscan_equal(chunk, '\\')), cscan_control(chunk)),
    byte == '"' || byte == '\\' || byte < 0x20)

/// The index that `cscan_string_run` returns, or of an earlier byte above 0x7F.
CSCAN_SEARCH(
    cscan_ascii_string_run,
    cscan_or(
        cscan_or(cscan_equal(chunk, '"'), cscan_equal(chunk, '\\')), cscan_control_or_high(chunk)),
    byte == '"' || byte == '\\' || byte < 0x20 || byte > 0x7F)

/// Copies to `to` the run inside a JSON string (`cscan_string_run`) at the start of
/// `from[0..<count]`, at most `room` bytes. May overwrite bytes of that room after the run. Returns
/// the count of bytes copied.
__attribute__((always_inline)) static inline size_t cscan_copy_run(
    uint8_t *to, size_t room, const uint8_t *from, size_t count) {
  if (room < count) count = room;
  size_t index = 0;
#if CSCAN_HAS_CHUNKS
  for (; index + 16 <= count; index += 16) {
    cscan_chunk chunk = cscan_load(from + index);
    cscan_store(to + index, chunk);
    cscan_bits bits = cscan_bits_of(cscan_or(
        cscan_or(cscan_equal(chunk, '"'), cscan_equal(chunk, '\\')), cscan_control(chunk)));
    if (bits) return index + cscan_first(bits);
  }
#endif
  for (; index < count; index++) {
    uint8_t byte = from[index];
    if (byte == '"' || byte == '\\' || byte < 0x20) break;
    to[index] = byte;
  }
  return index;
}

/// The index of the first LF or CR of `bytes[start..<count]`; `count` when there is none.
CSCAN_SEARCH(
    cscan_line, cscan_or(cscan_equal(chunk, '\n'), cscan_equal(chunk, '\r')),
    byte == '\n' || byte == '\r')

/// The index of the first byte of `bytes[start..<count]` that is not printable ASCII: a control
/// character or a byte above 0x7E; `count` when there is none.
CSCAN_SEARCH(
    cscan_printable_run, cscan_or(cscan_control_or_high(chunk), cscan_equal(chunk, 0x7F)),
    byte < 0x20 || byte > 0x7E)

/// The index of the first byte of `bytes[start..<count]` above 0x7F; `count` when there is none.
CSCAN_SEARCH(cscan_ascii_run, cscan_high(chunk), byte > 0x7F)

#undef CSCAN_SEARCH
#undef CSCAN_CHUNKS
