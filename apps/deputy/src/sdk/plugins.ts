// The exports of the installed package as `@deputy/deputy/plugins`, for programs in this repository.
export * from "@deputy/plugins";
