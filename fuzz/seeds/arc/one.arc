filedesc://a.arc 0.0.0.0 19960923142103 text/plain 69
1 0 Crawler
URL IP-address Archive-date Content-type Archive-length


http://a.example/ 10.1.2.3 19960923142103 text/html 99
HTTP/1.1 200 OK
Content-Type: text/html

<title>Ferry</title><p>The night ferry ran aground.</p>
dns:a.example 0.0.0.0 19960923142103 text/dns 2
x

