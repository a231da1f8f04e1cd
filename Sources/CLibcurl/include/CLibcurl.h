/// The part of libcurl's ABI that the sender uses (soname 4), so that no development files are
/// needed to build it. CLibcurl.c checks it against <curl/curl.h> where that exists.
///
/// The functions are libcurl's own; what has no fixed arguments there is wrapped, since Swift calls
/// no variadic functions. Enumerations are `unsigned int`, as the ABI passes them.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Numbers of `CURLoption`.
enum {
  clibcurl_option_write_data = 10001,
  clibcurl_option_read_data = 10009,
  clibcurl_option_url = 10002,
  clibcurl_option_proxy = 10004,
  clibcurl_option_error_buffer = 10010,
  clibcurl_option_write_function = 20011,
  clibcurl_option_read_function = 20012,
  clibcurl_option_user_agent = 10018,
  clibcurl_option_http_header = 10023,
  clibcurl_option_header_data = 10029,
  clibcurl_option_no_progress = 43,
  clibcurl_option_post = 47,
  clibcurl_option_progress_data = 10057,
  clibcurl_option_ca_info = 10065,
  clibcurl_option_debug_function = 20094,
  clibcurl_option_debug_data = 10095,
  clibcurl_option_ca_path = 10097,
  clibcurl_option_accept_encoding = 10102,
  clibcurl_option_unix_socket_path = 10231,
  clibcurl_option_verbose = 41,
  clibcurl_option_http_version = 84,
  clibcurl_option_header_function = 20079,
  clibcurl_option_post_field_size = 30120,
  clibcurl_option_seek_function = 20167,
  clibcurl_option_seek_data = 10168,
  clibcurl_option_timeout_ms = 155,
  clibcurl_option_connect_timeout_ms = 156,
  clibcurl_option_progress_function = 20219,
  clibcurl_option_buffer_size = 98,
  clibcurl_option_suppress_connect_headers = 265,
};

/// The value of `CURLOPT_HTTP_VERSION` that is used.
enum { clibcurl_http_version_1_1 = 2 };

/// Numbers of `CURLcode` that are told apart.
enum {
  clibcurl_ok = 0,
  clibcurl_could_not_resolve_proxy = 5,
  clibcurl_could_not_resolve_host = 6,
  clibcurl_could_not_connect = 7,
  clibcurl_http2 = 16,
  clibcurl_partial_file = 18,
  clibcurl_timed_out = 28,
  clibcurl_tls_connect_error = 35,
  clibcurl_aborted_by_callback = 42,
  clibcurl_got_nothing = 52,
  clibcurl_send_error = 55,
  clibcurl_receive_error = 56,
  clibcurl_bad_client_certificate = 58,
  clibcurl_tls_cipher = 59,
  clibcurl_peer_failed_verification = 60,
  clibcurl_bad_content_encoding = 61,
  clibcurl_bad_ca_file = 77,
  clibcurl_tls_issuer_error = 83,
  clibcurl_http2_stream = 92,
};

/// Numbers of `CURLINFO`: facts on a transfer. Times are in microseconds from its start.
enum {
  clibcurl_info_proxy_status = 0x200000 + 22,
  clibcurl_info_http_version = 0x200000 + 46,
  clibcurl_info_connections = 0x200000 + 26,
  clibcurl_info_address = 0x100000 + 32,
  clibcurl_info_sent = 0x600000 + 7,
  clibcurl_info_received = 0x600000 + 8,
  clibcurl_info_total_time = 0x600000 + 50,
  clibcurl_info_name_time = 0x600000 + 51,
  clibcurl_info_connect_time = 0x600000 + 52,
  clibcurl_info_first_byte_time = 0x600000 + 54,
  clibcurl_info_tls_time = 0x600000 + 56,
};

/// Numbers of `curl_infotype`: what a piece is that is shown to whoever watches.
enum {
  clibcurl_shown_text = 0,
  clibcurl_shown_header_in = 1,
  clibcurl_shown_header_out = 2,
};

/// Numbers of `CURLUPart`, of `CURLUcode`, and the flag of `curl_url_set` that is used.
enum {
  clibcurl_part_url = 0,
  clibcurl_part_scheme = 1,
  clibcurl_part_host = 5,
  clibcurl_part_port = 6,
  clibcurl_part_path = 7,
  clibcurl_part_fragment = 9,
  clibcurl_url_user_not_allowed = 8,
  clibcurl_url_disallow_user = 1 << 5,
};

/// How large the buffer for an error's text must be.
enum { clibcurl_error_size = 256 };

/// What libcurl calls with a piece of the answer; anything but the piece's size ends the transfer.
typedef size_t (*clibcurl_sink)(char *bytes, size_t size, size_t count, void *context);

/// What libcurl calls for the next piece of the request, of up to `size * count` bytes; returns how
/// many it put there, 0 at the end, or `clibcurl_read_abort` to end the transfer.
typedef size_t (*clibcurl_source)(char *bytes, size_t size, size_t count, void *context);

enum { clibcurl_read_abort = 0x10000000 };

/// What libcurl calls to have the request begin anew, at byte `offset`; returns 0, or 1 when that
/// cannot be. `origin` is always SEEK_SET.
typedef int (*clibcurl_seek)(void *context, int64_t offset, int origin);

/// What libcurl calls once a second or more often; anything but 0 ends the transfer.
typedef int (*clibcurl_progress)(
    void *context, int64_t download_total, int64_t downloaded, int64_t upload_total,
    int64_t uploaded);

/// What libcurl shows a piece of what it does to; returns 0.
typedef int (*clibcurl_show)(
    void *handle, unsigned int kind, char *bytes, size_t count, void *context);

struct curl_slist;
struct Curl_URL;

void *curl_easy_init(void);
void curl_easy_cleanup(void *handle);
unsigned int curl_easy_perform(void *handle);
unsigned int curl_easy_setopt(void *handle, unsigned int option, ...);
unsigned int curl_easy_getinfo(void *handle, unsigned int info, ...);
const char *curl_easy_strerror(unsigned int code);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);
struct Curl_URL *curl_url(void);
void curl_url_cleanup(struct Curl_URL *url);
unsigned int curl_url_get(
    const struct Curl_URL *url, unsigned int part, char **text, unsigned int flags);
unsigned int curl_url_set(
    struct Curl_URL *url, unsigned int part, const char *text, unsigned int flags);
void curl_free(void *memory);

static inline unsigned int clibcurl_set_long(void *handle, unsigned int option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_size(void *handle, unsigned int option, int64_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_text(
    void *handle, unsigned int option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_pointer(void *handle, unsigned int option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_list(
    void *handle, unsigned int option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_sink(
    void *handle, unsigned int option, clibcurl_sink value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_source(
    void *handle, unsigned int option, clibcurl_source value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_seek(
    void *handle, unsigned int option, clibcurl_seek value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_progress(
    void *handle, unsigned int option, clibcurl_progress value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_set_show(
    void *handle, unsigned int option, clibcurl_show value) {
  return curl_easy_setopt(handle, option, value);
}

static inline unsigned int clibcurl_get_size(void *handle, unsigned int info, int64_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline unsigned int clibcurl_get_long(void *handle, unsigned int info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline unsigned int clibcurl_get_text(
    void *handle, unsigned int info, const char **value) {
  return curl_easy_getinfo(handle, info, value);
}
