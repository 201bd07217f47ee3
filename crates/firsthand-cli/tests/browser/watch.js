"use strict";
window.wrong = [];
addEventListener("error", (event) => wrong.push(event.message || String(event.target)), true);
addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) => {
  wrong.push(`${event.violatedDirective} ${event.blockedURI}`);
});
