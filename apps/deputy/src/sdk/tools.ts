// The exports of the installed package as `@deputy/deputy/tools`, for programs in this repository.
export * from "@deputy/tools/plugin-api";
