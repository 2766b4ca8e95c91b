/** Style sheets of pages that are loaded when somebody goes there. */
declare module "*.css";
