// Searches over bytes, 16 at a time where the processor can: what Swift's own SIMD types do not
// compile to.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// The index of the first byte of `bytes[start..<count]` that ends or breaks a run inside a JSON
/// string: a quote, a backslash, or a control character; `count` when there is none.
static inline size_t cscan_string_run(const uint8_t *bytes, size_t start, size_t count) {
  size_t index = start;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1F);
  for (; index + 16 <= count; index += 16) {
    __m128i chunk = _mm_loadu_si128((const __m128i *)(bytes + index));
    __m128i hits = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(chunk, quote), _mm_cmpeq_epi8(chunk, backslash)),
        _mm_cmpeq_epi8(_mm_min_epu8(chunk, control), chunk));
    int mask = _mm_movemask_epi8(hits);
    if (mask) return index + (size_t)__builtin_ctz((unsigned)mask);
  }
#elif defined(__ARM_NEON)
  for (; index + 16 <= count; index += 16) {
    uint8x16_t chunk = vld1q_u8(bytes + index);
    uint8x16_t hits = vorrq_u8(
        vorrq_u8(vceqq_u8(chunk, vdupq_n_u8('"')), vceqq_u8(chunk, vdupq_n_u8('\\'))),
        vcltq_u8(chunk, vdupq_n_u8(0x20)));
    uint64_t mask =
        vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hits), 4)), 0);
    if (mask) return index + (size_t)(__builtin_ctzll(mask) >> 2);
  }
#endif
  for (; index < count; index++) {
    uint8_t byte = bytes[index];
    if (byte == '"' || byte == '\\' || byte < 0x20) break;
  }
  return index;
}

/// The index of the first byte of `bytes[start..<count]` above 0x7F; `count` when there is none.
static inline size_t cscan_ascii_run(const uint8_t *bytes, size_t start, size_t count) {
  size_t index = start;
#if defined(__SSE2__)
  for (; index + 16 <= count; index += 16) {
    int mask = _mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(bytes + index)));
    if (mask) return index + (size_t)__builtin_ctz((unsigned)mask);
  }
#endif
  while (index < count && bytes[index] < 0x80) index++;
  return index;
}

/// The index of the first byte of `bytes[start..<count]` that is no printable ASCII: a control
/// character or above 0x7E; `count` when there is none.
static inline size_t cscan_printable_run(const uint8_t *bytes, size_t start, size_t count) {
  size_t index = start;
#if defined(__SSE2__)
  // Bytes above 0x7F are negative here, and so below a space too.
  const __m128i space = _mm_set1_epi8(0x20);
  const __m128i del = _mm_set1_epi8(0x7F);
  for (; index + 16 <= count; index += 16) {
    __m128i chunk = _mm_loadu_si128((const __m128i *)(bytes + index));
    __m128i hits = _mm_or_si128(_mm_cmplt_epi8(chunk, space), _mm_cmpeq_epi8(chunk, del));
    int mask = _mm_movemask_epi8(hits);
    if (mask) return index + (size_t)__builtin_ctz((unsigned)mask);
  }
#endif
  while (index < count && bytes[index] >= 0x20 && bytes[index] < 0x7F) index++;
  return index;
}
