#include "CLibcurl.h"

// Behind our own declarations, so that the compiler compares the two of each function.
#if __has_include(<curl/curl.h>)
// Some releases take a `const` handle and some do not, and some systems have another name for 64 bits;
// these two go uncompared.
#define curl_url_get clibcurl_uncompared_url_get
#define curl_mime_data_cb clibcurl_uncompared_mime_data_cb
#include <curl/curl.h>
#undef curl_url_get
#undef curl_mime_data_cb

#define SAME(ours, number, theirs) \
  _Static_assert((long)(clibcurl_##ours) == (long)(theirs), #ours);
CLIBCURL_NUMBERS(SAME)
_Static_assert(sizeof(int64_t) == sizeof(curl_off_t), "curl_off_t");

#endif
