/// The part of libcurl's ABI that the sender uses (soname 4), so that no development files are
/// needed to build it. CLibcurl.c checks it against <curl/curl.h> where that exists.
///
/// The functions are libcurl's own. Wrappers stand for the variadic ones, which Swift cannot call.
/// Enumerations are `unsigned int`, as the ABI passes them.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/// Numbers of `CURLoption`.
#define CLIBCURL_OPTIONS(ROW) \
  ROW(option_write_data, 10001, CURLOPT_WRITEDATA) \
  ROW(option_url, 10002, CURLOPT_URL) \
  ROW(option_proxy, 10004, CURLOPT_PROXY) \
  ROW(option_ssl_certificate, 10025, CURLOPT_SSLCERT) \
  ROW(option_key_password, 10026, CURLOPT_KEYPASSWD) \
  ROW(option_ssl_key, 10087, CURLOPT_SSLKEY) \
  ROW(option_error_buffer, 10010, CURLOPT_ERRORBUFFER) \
  ROW(option_custom_request, 10036, CURLOPT_CUSTOMREQUEST) \
  ROW(option_write_function, 20011, CURLOPT_WRITEFUNCTION) \
  ROW(option_user_agent, 10018, CURLOPT_USERAGENT) \
  ROW(option_http_header, 10023, CURLOPT_HTTPHEADER) \
  ROW(option_header_data, 10029, CURLOPT_HEADERDATA) \
  ROW(option_ca_info, 10065, CURLOPT_CAINFO) \
  ROW(option_debug_function, 20094, CURLOPT_DEBUGFUNCTION) \
  ROW(option_debug_data, 10095, CURLOPT_DEBUGDATA) \
  ROW(option_ca_path, 10097, CURLOPT_CAPATH) \
  ROW(option_accept_encoding, 10102, CURLOPT_ACCEPT_ENCODING) \
  ROW(option_unix_socket_path, 10231, CURLOPT_UNIX_SOCKET_PATH) \
  ROW(option_verbose, 41, CURLOPT_VERBOSE) \
  ROW(option_http_version, 84, CURLOPT_HTTP_VERSION) \
  ROW(option_no_signal, 99, CURLOPT_NOSIGNAL) \
  ROW(option_header_function, 20079, CURLOPT_HEADERFUNCTION) \
  ROW(option_post_field_size, 30120, CURLOPT_POSTFIELDSIZE_LARGE) \
  ROW(option_copied_post_fields, 10165, CURLOPT_COPYPOSTFIELDS) \
  ROW(option_timeout_ms, 155, CURLOPT_TIMEOUT_MS) \
  ROW(option_connect_timeout_ms, 156, CURLOPT_CONNECTTIMEOUT_MS) \
  ROW(option_buffer_size, 98, CURLOPT_BUFFERSIZE) \
  ROW(option_suppress_connect_headers, 265, CURLOPT_SUPPRESS_CONNECT_HEADERS) \
  ROW(option_mime_post, 10269, CURLOPT_MIMEPOST)

/// Values of `CURLOPT_HTTP_VERSION`.
#define CLIBCURL_HTTP_VERSIONS(ROW) \
  ROW(http_version_1_1, 2, CURL_HTTP_VERSION_1_1)

/// Numbers of `CURLcode` that the sender tells apart.
#define CLIBCURL_CODES(ROW) \
  ROW(ok, 0, CURLE_OK) \
  ROW(unsupported_protocol, 1, CURLE_UNSUPPORTED_PROTOCOL) \
  ROW(could_not_resolve_proxy, 5, CURLE_COULDNT_RESOLVE_PROXY) \
  ROW(could_not_resolve_host, 6, CURLE_COULDNT_RESOLVE_HOST) \
  ROW(could_not_connect, 7, CURLE_COULDNT_CONNECT) \
  ROW(http2, 16, CURLE_HTTP2) \
  ROW(partial_file, 18, CURLE_PARTIAL_FILE) \
  ROW(write_error, 23, CURLE_WRITE_ERROR) \
  ROW(timed_out, 28, CURLE_OPERATION_TIMEDOUT) \
  ROW(tls_connect_error, 35, CURLE_SSL_CONNECT_ERROR) \
  ROW(got_nothing, 52, CURLE_GOT_NOTHING) \
  ROW(send_error, 55, CURLE_SEND_ERROR) \
  ROW(receive_error, 56, CURLE_RECV_ERROR) \
  ROW(bad_client_certificate, 58, CURLE_SSL_CERTPROBLEM) \
  ROW(tls_cipher, 59, CURLE_SSL_CIPHER) \
  ROW(peer_failed_verification, 60, CURLE_PEER_FAILED_VERIFICATION) \
  ROW(bad_ca_file, 77, CURLE_SSL_CACERT_BADFILE) \
  ROW(tls_issuer_error, 83, CURLE_SSL_ISSUER_ERROR) \
  ROW(http2_stream, 92, CURLE_HTTP2_STREAM)

/// Numbers of `CURLINFO`: facts on a transfer. Times are in microseconds from its start.
#define CLIBCURL_INFOS(ROW) \
  ROW(info_proxy_status, 0x200000 + 22, CURLINFO_HTTP_CONNECTCODE) \
  ROW(info_system_error, 0x200000 + 25, CURLINFO_OS_ERRNO) \
  ROW(info_http_version, 0x200000 + 46, CURLINFO_HTTP_VERSION) \
  ROW(info_sent, 0x600000 + 7, CURLINFO_SIZE_UPLOAD_T) \
  ROW(info_received, 0x600000 + 8, CURLINFO_SIZE_DOWNLOAD_T) \
  ROW(info_total_time, 0x600000 + 50, CURLINFO_TOTAL_TIME_T) \
  ROW(info_name_time, 0x600000 + 51, CURLINFO_NAMELOOKUP_TIME_T) \
  ROW(info_connect_time, 0x600000 + 52, CURLINFO_CONNECT_TIME_T) \
  ROW(info_first_byte_time, 0x600000 + 54, CURLINFO_STARTTRANSFER_TIME_T) \
  ROW(info_tls_time, 0x600000 + 56, CURLINFO_APPCONNECT_TIME_T)

/// Numbers of `curl_infotype`: the kinds of text that `clibcurl_show` gets.
#define CLIBCURL_SHOWN(ROW) \
  ROW(shown_text, 0, CURLINFO_TEXT) \
  ROW(shown_header_out, 2, CURLINFO_HEADER_OUT)

/// Numbers of `CURLUPart`.
#define CLIBCURL_PARTS(ROW) \
  ROW(part_url, 0, CURLUPART_URL) \
  ROW(part_scheme, 1, CURLUPART_SCHEME) \
  ROW(part_host, 5, CURLUPART_HOST) \
  ROW(part_path, 7, CURLUPART_PATH) \
  ROW(part_query, 8, CURLUPART_QUERY) \
  ROW(part_fragment, 9, CURLUPART_FRAGMENT)

/// Numbers of libcurl's interface for many transfers at once: of `CURLMcode`, of `CURLMSG`, and the
/// event to wait for.
#define CLIBCURL_MULTI(ROW) \
  ROW(multi_ok, 0, CURLM_OK) \
  ROW(message_done, 1, CURLMSG_DONE) \
  ROW(wait_to_read, 1, CURL_WAIT_POLLIN)

/// A number of `CURLUcode`, a flag of `curl_url_set`, and the size of the buffer for an error's
/// text.
#define CLIBCURL_OTHERS(ROW) \
  ROW(url_user_not_allowed, 8, CURLUE_USER_NOT_ALLOWED) \
  ROW(url_disallow_user, 1 << 5, CURLU_DISALLOW_USER) \
  ROW(error_size, 256, CURL_ERROR_SIZE)

/// All numbers: our name, the number, and libcurl's name.
#define CLIBCURL_NUMBERS(ROW) \
  CLIBCURL_OPTIONS(ROW) \
  CLIBCURL_HTTP_VERSIONS(ROW) \
  CLIBCURL_CODES(ROW) \
  CLIBCURL_INFOS(ROW) \
  CLIBCURL_SHOWN(ROW) \
  CLIBCURL_PARTS(ROW) \
  CLIBCURL_MULTI(ROW) \
  CLIBCURL_OTHERS(ROW)

#define CLIBCURL_CONSTANT(name, number, theirs) clibcurl_##name = number,
enum { CLIBCURL_NUMBERS(CLIBCURL_CONSTANT) };
#undef CLIBCURL_CONSTANT

/// Callback that gets a piece of the reply. Any result but the piece's size ends the transfer.
typedef size_t (*clibcurl_sink)(char *bytes, size_t size, size_t count, void *context);

/// Callback that gets a text on libcurl's work, or bytes that it sent or received. Returns 0.
typedef int (*clibcurl_show)(
    void *handle, unsigned int kind, char *bytes, size_t count, void *context);

struct curl_slist;
struct Curl_URL;
struct curl_mime;
struct curl_mimepart;
struct CURLMsg;
struct curl_waitfd;

void *curl_easy_init(void);
void curl_easy_cleanup(void *handle);
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
struct curl_mime *curl_mime_init(void *handle);
void curl_mime_free(struct curl_mime *form);
struct curl_mimepart *curl_mime_addpart(struct curl_mime *form);
unsigned int curl_mime_name(struct curl_mimepart *part, const char *name);
unsigned int curl_mime_filename(struct curl_mimepart *part, const char *name);
unsigned int curl_mime_type(struct curl_mimepart *part, const char *type);
unsigned int curl_mime_data(struct curl_mimepart *part, const char *bytes, size_t count);
unsigned int curl_mime_filedata(struct curl_mimepart *part, const char *path);
time_t curl_getdate(const char *text, const time_t *unused);

void *curl_multi_init(void);
int curl_multi_cleanup(void *multi);
int curl_multi_add_handle(void *multi, void *handle);
int curl_multi_remove_handle(void *multi, void *handle);
int curl_multi_perform(void *multi, int *running);
const char *curl_multi_strerror(int code);
struct CURLMsg *curl_multi_info_read(void *multi, int *left);
int curl_multi_poll(
    void *multi, struct curl_waitfd *descriptors, unsigned int count, int milliseconds, int *ready);

/// Our own `CURLMsg`: an event of a handle.
struct clibcurl_message {
  int kind;
  void *handle;
  union {
    void *unused;
    unsigned int code;
  } data;
};

/// Our own `curl_waitfd`.
struct clibcurl_wait {
  int descriptor;
  short events;
  short ready;
};

/// Returns the handle of a transfer that has ended, and its `CURLcode` in `code`; NULL for none.
static inline void *clibcurl_multi_ended(void *multi, unsigned int *code) {
  int left = 0;
  struct clibcurl_message *message;
  while ((message = (struct clibcurl_message *)curl_multi_info_read(multi, &left))) {
    if (message->kind != clibcurl_message_done) continue;
    *code = message->data.code;
    return message->handle;
  }
  return NULL;
}

/// Waits until a transfer can go on, `descriptor` is readable (negative for none), or
/// `milliseconds` have passed. Returns a `CURLMcode`.
static inline int clibcurl_multi_wait(void *multi, int descriptor, int milliseconds) {
  struct clibcurl_wait wait = {descriptor, clibcurl_wait_to_read, 0};
  return curl_multi_poll(
      multi, (struct curl_waitfd *)&wait, descriptor >= 0 ? 1 : 0, milliseconds, NULL);
}

/// Defines a function that sets an option to a value of one type.
#define CLIBCURL_SETTER(name, type) \
  static inline unsigned int clibcurl_set_##name(void *handle, unsigned int option, type value) { \
    return curl_easy_setopt(handle, option, value); \
  }
CLIBCURL_SETTER(long, long)
CLIBCURL_SETTER(size, int64_t)
CLIBCURL_SETTER(text, const char *)
CLIBCURL_SETTER(pointer, void *)
CLIBCURL_SETTER(list, struct curl_slist *)
CLIBCURL_SETTER(sink, clibcurl_sink)
CLIBCURL_SETTER(show, clibcurl_show)
#undef CLIBCURL_SETTER

static inline unsigned int clibcurl_get_size(void *handle, unsigned int info, int64_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline unsigned int clibcurl_get_long(void *handle, unsigned int info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
