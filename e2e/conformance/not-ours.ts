/** A check that the daemon does not pass, `scenario:check`, and why it does not apply. */
export type Missed = { readonly check: string } & (
  | { readonly why: string }
  /** The name of a tool, a prompt or a resource that the check asks for, and that only the suite's own server has. */
  | { readonly needs: string }
);

const NO_SUBSCRIPTIONS = "The server sends nothing unasked, and does not declare subscriptions.";
const NO_LOG_MESSAGES = "What happened is in Deputy's log; the server does not declare log messages.";
const NO_RESUMED_STREAMS =
  "It only warns: streams cannot be resumed, and `task_result` returns what was lost with one.";
const NO_HEADER_PARAMETERS = "No tool of Deputy's has a parameter that is sent as a header (`x-mcp-header`).";

/** For each revision of the protocol. The list is exact: a check that begins to pass has to be taken out. */
export const NOT_OURS: Readonly<Record<string, readonly Missed[]>> = {
  "2025-11-25": [
    { check: "completion-complete:completion-complete", needs: "test_prompt_with_arguments" },
    {
      check: "elicitation-sep1034-defaults:elicitation-sep1034-general",
      needs: "test_elicitation_sep1034_defaults",
    },
    {
      check: "elicitation-sep1330-enums:elicitation-sep1330-general",
      needs: "test_elicitation_sep1330_enums",
    },
    { check: "json-schema-2020-12:json-schema-2020-12-tool-found", needs: "json_schema_2020_12_tool" },
    { check: "logging-set-level:logging-set-level", why: NO_LOG_MESSAGES },
    {
      check: "prompts-get-embedded-resource:prompts-get-embedded-resource",
      needs: "test_prompt_with_embedded_resource",
    },
    { check: "prompts-get-simple:prompts-get-simple", needs: "test_simple_prompt" },
    { check: "prompts-get-with-args:prompts-get-with-args", needs: "test_prompt_with_arguments" },
    { check: "prompts-get-with-image:prompts-get-with-image", needs: "test_prompt_with_image" },
    { check: "resources-read-binary:resources-read-binary", needs: "test://static-binary" },
    { check: "resources-read-text:resources-read-text", needs: "test://static-text" },
    { check: "resources-subscribe:resources-subscribe", why: NO_SUBSCRIPTIONS },
    { check: "resources-templates-read:resources-templates-read", needs: "test://template/123/data" },
    { check: "resources-unsubscribe:resources-unsubscribe", why: NO_SUBSCRIPTIONS },
    { check: "server-sse-polling:server-sse-priming-event", why: NO_RESUMED_STREAMS },
    { check: "server-sse-polling:server-sse-retry-field", why: NO_RESUMED_STREAMS },
    { check: "tools-call-audio:tools-call-audio", needs: "test_audio_content" },
    { check: "tools-call-elicitation:tools-call-elicitation", needs: "test_elicitation" },
    { check: "tools-call-embedded-resource:tools-call-embedded-resource", needs: "test_embedded_resource" },
    { check: "tools-call-error:tools-call-error", needs: "test_error_handling" },
    { check: "tools-call-image:tools-call-image", needs: "test_image_content" },
    { check: "tools-call-mixed-content:tools-call-mixed-content", needs: "test_multiple_content_types" },
    { check: "tools-call-sampling:tools-call-sampling", needs: "test_sampling" },
    { check: "tools-call-simple-text:tools-call-simple-text", needs: "test_simple_text" },
    { check: "tools-call-with-logging:tools-call-with-logging", needs: "test_tool_with_logging" },
    { check: "tools-call-with-progress:tools-call-with-progress", needs: "test_tool_with_progress" },
  ],
  "2026-07-28": [
    { check: "completion-complete:completion-complete", needs: "test_prompt_with_arguments" },
    {
      check: "http-custom-header-server-validation:sep-2243-server-decode-base64",
      why: NO_HEADER_PARAMETERS,
    },
    { check: "http-custom-header-server-validation:sep-2243-server-no-xmcp-tool", why: NO_HEADER_PARAMETERS },
    {
      check: "http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars",
      why: NO_HEADER_PARAMETERS,
    },
    {
      check: "http-custom-header-server-validation:sep-2243-server-reject-param-mismatch",
      why: NO_HEADER_PARAMETERS,
    },
    {
      check: "http-custom-header-server-validation:sep-2243-server-validate-param-match",
      why: NO_HEADER_PARAMETERS,
    },
    {
      check: "input-required-result-basic-elicitation:sep-2322-elicitation-incomplete",
      needs: "test_input_required_result_elicitation",
    },
    {
      check: "input-required-result-basic-list-roots:sep-2322-list-roots-incomplete",
      needs: "test_input_required_result_list_roots",
    },
    {
      check: "input-required-result-basic-sampling:sep-2322-sampling-incomplete",
      needs: "test_input_required_result_sampling",
    },
    {
      check: "input-required-result-capability-check:sep-2322-respect-client-capabilities",
      needs: "test_input_required_result_capabilities",
    },
    {
      check: "input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params",
      needs: "test_input_required_result_elicitation",
    },
    {
      check: "input-required-result-missing-input-response:sep-2322-missing-response-rerequests",
      needs: "test_input_required_result_elicitation",
    },
    {
      check: "input-required-result-multi-round:sep-2322-multi-round-r1",
      needs: "test_input_required_result_multi_round",
    },
    {
      check: "input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete",
      needs: "test_input_required_result_multiple_inputs",
    },
    {
      check: "input-required-result-non-tool-request:sep-2322-non-tool-incomplete",
      needs: "test_input_required_result_prompt",
    },
    {
      check: "input-required-result-request-state:sep-2322-request-state-incomplete",
      needs: "test_input_required_result_request_state",
    },
    {
      check: "input-required-result-result-type:sep-2322-result-type-included",
      needs: "test_input_required_result_elicitation",
    },
    {
      check: "input-required-result-tampered-state:sep-2322-reject-tampered-state",
      needs: "test_input_required_result_tampered_state",
    },
    { check: "json-schema-2020-12:json-schema-2020-12-tool-found", needs: "json_schema_2020_12_tool" },
    {
      check: "prompts-get-embedded-resource:prompts-get-embedded-resource",
      needs: "test_prompt_with_embedded_resource",
    },
    { check: "prompts-get-simple:prompts-get-simple", needs: "test_simple_prompt" },
    { check: "prompts-get-with-args:prompts-get-with-args", needs: "test_prompt_with_arguments" },
    { check: "prompts-get-with-image:prompts-get-with-image", needs: "test_prompt_with_image" },
    { check: "resources-read-binary:resources-read-binary", needs: "test://static-binary" },
    { check: "resources-read-text:resources-read-text", needs: "test://static-text" },
    { check: "resources-templates-read:resources-templates-read", needs: "test://template/123/data" },
    {
      check: "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
      needs: "test_streaming_elicitation",
    },
    { check: "server-stateless:sep-2575-missing-capability-http-400", needs: "test_missing_capability" },
    { check: "server-stateless:sep-2575-server-no-log-without-loglevel", needs: "test_logging_tool" },
    {
      check: "server-stateless:sep-2575-server-rejects-undeclared-capability",
      needs: "test_missing_capability",
    },
    { check: "tools-call-audio:tools-call-audio", needs: "test_audio_content" },
    { check: "tools-call-embedded-resource:tools-call-embedded-resource", needs: "test_embedded_resource" },
    { check: "tools-call-error:tools-call-error", needs: "test_error_handling" },
    { check: "tools-call-image:tools-call-image", needs: "test_image_content" },
    { check: "tools-call-mixed-content:tools-call-mixed-content", needs: "test_multiple_content_types" },
    { check: "tools-call-simple-text:tools-call-simple-text", needs: "test_simple_text" },
    { check: "tools-call-with-progress:tools-call-with-progress", needs: "test_tool_with_progress" },
  ],
};
