// What the installed package exports as `@deputy/deputy/tools`, for programs in this repository.
export * from "@deputy/tools/plugin-api";
