import "./views/deputy-page.ts";
