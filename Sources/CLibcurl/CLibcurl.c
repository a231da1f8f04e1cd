#include "CLibcurl.h"

// Behind our own declarations, so that the compiler compares the two of each function.
#if __has_include(<curl/curl.h>)
// Some releases take a `const` handle and some do not; that one goes uncompared.
#define curl_url_get clibcurl_uncompared_url_get
#include <curl/curl.h>
#undef curl_url_get

#define SAME(ours, theirs) _Static_assert((long)(ours) == (long)(theirs), #theirs)

SAME(clibcurl_option_write_data, CURLOPT_WRITEDATA);
SAME(clibcurl_option_read_data, CURLOPT_READDATA);
SAME(clibcurl_option_url, CURLOPT_URL);
SAME(clibcurl_option_proxy, CURLOPT_PROXY);
SAME(clibcurl_option_error_buffer, CURLOPT_ERRORBUFFER);
SAME(clibcurl_option_write_function, CURLOPT_WRITEFUNCTION);
SAME(clibcurl_option_read_function, CURLOPT_READFUNCTION);
SAME(clibcurl_option_user_agent, CURLOPT_USERAGENT);
SAME(clibcurl_option_http_header, CURLOPT_HTTPHEADER);
SAME(clibcurl_option_header_data, CURLOPT_HEADERDATA);
SAME(clibcurl_option_no_progress, CURLOPT_NOPROGRESS);
SAME(clibcurl_option_post, CURLOPT_POST);
SAME(clibcurl_option_progress_data, CURLOPT_XFERINFODATA);
SAME(clibcurl_option_ca_info, CURLOPT_CAINFO);
SAME(clibcurl_option_debug_function, CURLOPT_DEBUGFUNCTION);
SAME(clibcurl_option_debug_data, CURLOPT_DEBUGDATA);
SAME(clibcurl_option_ca_path, CURLOPT_CAPATH);
SAME(clibcurl_option_accept_encoding, CURLOPT_ACCEPT_ENCODING);
SAME(clibcurl_option_unix_socket_path, CURLOPT_UNIX_SOCKET_PATH);
SAME(clibcurl_option_verbose, CURLOPT_VERBOSE);
SAME(clibcurl_option_http_version, CURLOPT_HTTP_VERSION);
SAME(clibcurl_http_version_1_1, CURL_HTTP_VERSION_1_1);
SAME(clibcurl_option_header_function, CURLOPT_HEADERFUNCTION);
SAME(clibcurl_option_post_field_size, CURLOPT_POSTFIELDSIZE_LARGE);
SAME(clibcurl_option_seek_function, CURLOPT_SEEKFUNCTION);
SAME(clibcurl_option_seek_data, CURLOPT_SEEKDATA);
SAME(clibcurl_option_timeout_ms, CURLOPT_TIMEOUT_MS);
SAME(clibcurl_option_connect_timeout_ms, CURLOPT_CONNECTTIMEOUT_MS);
SAME(clibcurl_option_progress_function, CURLOPT_XFERINFOFUNCTION);
SAME(clibcurl_option_buffer_size, CURLOPT_BUFFERSIZE);
SAME(clibcurl_option_suppress_connect_headers, CURLOPT_SUPPRESS_CONNECT_HEADERS);

SAME(clibcurl_ok, CURLE_OK);
SAME(clibcurl_could_not_resolve_proxy, CURLE_COULDNT_RESOLVE_PROXY);
SAME(clibcurl_could_not_resolve_host, CURLE_COULDNT_RESOLVE_HOST);
SAME(clibcurl_could_not_connect, CURLE_COULDNT_CONNECT);
SAME(clibcurl_http2, CURLE_HTTP2);
SAME(clibcurl_partial_file, CURLE_PARTIAL_FILE);
SAME(clibcurl_timed_out, CURLE_OPERATION_TIMEDOUT);
SAME(clibcurl_tls_connect_error, CURLE_SSL_CONNECT_ERROR);
SAME(clibcurl_aborted_by_callback, CURLE_ABORTED_BY_CALLBACK);
SAME(clibcurl_got_nothing, CURLE_GOT_NOTHING);
SAME(clibcurl_send_error, CURLE_SEND_ERROR);
SAME(clibcurl_receive_error, CURLE_RECV_ERROR);
SAME(clibcurl_bad_client_certificate, CURLE_SSL_CERTPROBLEM);
SAME(clibcurl_tls_cipher, CURLE_SSL_CIPHER);
SAME(clibcurl_peer_failed_verification, CURLE_PEER_FAILED_VERIFICATION);
SAME(clibcurl_bad_content_encoding, CURLE_BAD_CONTENT_ENCODING);
SAME(clibcurl_bad_ca_file, CURLE_SSL_CACERT_BADFILE);
SAME(clibcurl_tls_issuer_error, CURLE_SSL_ISSUER_ERROR);
SAME(clibcurl_http2_stream, CURLE_HTTP2_STREAM);

SAME(clibcurl_info_proxy_status, CURLINFO_HTTP_CONNECTCODE);
SAME(clibcurl_info_http_version, CURLINFO_HTTP_VERSION);
SAME(clibcurl_info_connections, CURLINFO_NUM_CONNECTS);
SAME(clibcurl_info_address, CURLINFO_PRIMARY_IP);
SAME(clibcurl_info_sent, CURLINFO_SIZE_UPLOAD_T);
SAME(clibcurl_info_received, CURLINFO_SIZE_DOWNLOAD_T);
SAME(clibcurl_info_total_time, CURLINFO_TOTAL_TIME_T);
SAME(clibcurl_info_name_time, CURLINFO_NAMELOOKUP_TIME_T);
SAME(clibcurl_info_connect_time, CURLINFO_CONNECT_TIME_T);
SAME(clibcurl_info_first_byte_time, CURLINFO_STARTTRANSFER_TIME_T);
SAME(clibcurl_info_tls_time, CURLINFO_APPCONNECT_TIME_T);
SAME(clibcurl_shown_text, CURLINFO_TEXT);
SAME(clibcurl_shown_header_in, CURLINFO_HEADER_IN);
SAME(clibcurl_shown_header_out, CURLINFO_HEADER_OUT);

SAME(clibcurl_part_url, CURLUPART_URL);
SAME(clibcurl_part_scheme, CURLUPART_SCHEME);
SAME(clibcurl_part_host, CURLUPART_HOST);
SAME(clibcurl_part_port, CURLUPART_PORT);
SAME(clibcurl_part_path, CURLUPART_PATH);
SAME(clibcurl_part_fragment, CURLUPART_FRAGMENT);
SAME(clibcurl_url_user_not_allowed, CURLUE_USER_NOT_ALLOWED);
SAME(clibcurl_url_disallow_user, CURLU_DISALLOW_USER);
SAME(clibcurl_error_size, CURL_ERROR_SIZE);
SAME(clibcurl_read_abort, CURL_READFUNC_ABORT);
SAME(sizeof(int64_t), sizeof(curl_off_t));

#endif
