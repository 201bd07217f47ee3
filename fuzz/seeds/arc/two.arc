filedesc://a.arc 0.0.0.0 19960923142103 text/plain 200 - - 0 a.arc 69
1 0 Crawler
URL IP-address Archive-date Content-type Archive-length


http://a.example/ 10.1.2.3 19960923142103 text/html 200 c0ffee - 120 a.arc 99
HTTP/1.1 200 OK
Content-Type: text/html

<title>Ferry</title><p>The night ferry ran aground.</p>
http://a.example/ 10.1.2.3 19960923142103 text/html 200 c0ffee - 300 a.arc 99
HTTP/1.1 200 OK
Content-Type: text/html

<title>Ferry</title><p>The night fer