// Scripts of a widget, which the site has as one file. The desk only has the first.
import "./boot.js";
import "./host.js";
import "./rows.js";
