#include "CLibcurl.h"

// Included after our own declarations, so that the compiler compares the two of each function.
#if __has_include(<curl/curl.h>)
// Some releases take a `const` handle and some do not, so this one goes uncompared.
#define curl_url_get clibcurl_uncompared_url_get
#include <curl/curl.h>
#undef curl_url_get

#define SAME(ours, number, theirs) \
  _Static_assert((long)(clibcurl_##ours) == (long)(theirs), #ours);
CLIBCURL_NUMBERS(SAME)
#define SAME_PLACE(ours, member, theirs, other) \
  _Static_assert(offsetof(struct ours, member) == offsetof(struct theirs, other), #member);
SAME_PLACE(clibcurl_message, kind, CURLMsg, msg)
SAME_PLACE(clibcurl_message, handle, CURLMsg, easy_handle)
SAME_PLACE(clibcurl_message, data, CURLMsg, data)
SAME_PLACE(clibcurl_wait, descriptor, curl_waitfd, fd)
SAME_PLACE(clibcurl_wait, events, curl_waitfd, events)
SAME_PLACE(clibcurl_wait, ready, curl_waitfd, revents)
_Static_assert(sizeof(int64_t) == sizeof(curl_off_t), "curl_off_t");

#endif
