import { html, nothing, type TemplateResult } from "lit";
import {
  fieldsOf,
  formOf,
  type FormField,
  type FormKind,
  meantBy,
  type Schema,
  textOf,
  type TextFormat,
} from "@deputy/json-schema/form-fields";
import { shown, spoken } from "../text/shown.ts";

/** The control of an object that is edited as text. */
const WHOLE: FormField = { name: "input", schema: {}, isRequired: false };

const INPUTS: Readonly<Record<TextFormat, string>> = {
  email: "email",
  uri: "url",
  date: "date",
  "date-time": "datetime-local",
};
const NOT_OF_FORMAT: Readonly<Record<string, string>> = {
  email: "This is not a mail address.",
  url: "This is not an address, such as https://example.org.",
};

/** What the controls hold, and what is wrong with it, by the field. */
export interface ReadFields {
  readonly input: unknown;
  readonly problems: ReadonlyMap<string, string>;
}

/**
 * What stands in the controls of `showFields` below `root`. What nobody filled in is left out; `proposed` says what
 * then counts, so a proposal that was taken away needs something in its place.
 */
export function readFields(root: ParentNode, schema: unknown, proposed: Schema = {}): ReadFields {
  const fields = fieldsOf(schema);
  const problems = new Map<string, string>();
  const controls = [...root.querySelectorAll<HTMLInputElement>("[name]")];
  const read = ({ name, schema: of, isRequired }: FormField): unknown => {
    const own = controls.filter((control) => control.name === name);
    const [control] = own;
    if (control === undefined) return undefined;
    const form = formOf(of);
    if (form.kind === "fixed") return of["const"];
    const isProposed = Object.hasOwn(proposed, name);
    const text = textIn(form, own);
    if (control.validity.typeMismatch || control.validity.badInput)
      problems.set(name, NOT_OF_FORMAT[control.type] ?? "This is not complete.");
    const isList = form.kind === "lines" || form.kind === "several";
    if (isList && text.trim() === "" && !isProposed && !isRequired) return undefined;
    const meant = meantBy(form, text);
    if (meant.kind === "unreadable") problems.set(name, meant.why);
    if (meant.kind === "value") return meant.value;
    if (isProposed && form.kind === "text" && form.format === undefined) return "";
    if (isProposed && meant.kind === "nothing")
      problems.set(name, "Something must stand here, or it stays as it was proposed.");
    return undefined;
  };
  if (fields === undefined) return { input: read(WHOLE) ?? {}, problems };
  const given = fields.flatMap((field) => {
    const value = read(field);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return { input: Object.fromEntries(given), problems };
}

/** As `meantBy` takes it. */
function textIn(form: FormKind, controls: readonly HTMLInputElement[]): string {
  const [control] = controls;
  if (control === undefined) return "";
  if (form.kind === "switch") return control.type === "checkbox" ? String(control.checked) : control.value;
  if (form.kind === "several")
    return controls
      .filter(({ checked }) => checked)
      .map(({ value }) => value)
      .join("\n");
  if (control.type === "datetime-local" && control.value !== "") return new Date(control.value).toISOString();
  return control.value;
}

export interface ShownFields {
  /** Makes ids of controls differ from those of other forms on the page. */
  readonly prefix: string;
  readonly problems: ReadonlyMap<string, string>;
  /** What the controls hold at first. */
  readonly proposed?: Schema;
}

/** A control for each value of the schema; one for the text of all of it where it is no plain object. */
export function showFields(schema: unknown, how: ShownFields): readonly TemplateResult[] {
  const fields = fieldsOf(schema);
  return (fields ?? [WHOLE]).map((field) => showField(field, how));
}

function showField({ name, schema, isRequired }: FormField, how: ShownFields): TemplateResult {
  const form = formOf(schema);
  const id = `${how.prefix}-${name}`;
  const problem = how.problems.get(name);
  const start = textOf(form, how.proposed?.[name]);
  // A switch is on or off: where nothing has to be said, that is a third.
  const isSwitch = form.kind === "switch" && (isRequired || start !== "");
  const { title, description } = schema;
  const label = typeof title === "string" && title !== "" ? title : name;
  const says = typeof description === "string" ? description : "";
  const optional = isRequired || isSwitch ? nothing : html` <span class="meta">(optional)</span>`;
  const hints = html`${says === "" ? nothing : html`<p class="hint" id=${`${id}-says`}>${shown(says)}</p>`}
  ${problem === undefined ? nothing : html`<p class="trouble" role="alert" id=${`${id}-wrong`}>${shown(problem)}</p>`}`;
  const describedBy =
    [says === "" ? "" : `${id}-says`, problem === undefined ? "" : `${id}-wrong`].join(" ").trim() || nothing;
  if (form.kind === "several") {
    const chosen = new Set(start.split("\n"));
    return html`<fieldset class="several" aria-describedby=${describedBy}>
      <legend>${shown(label)}${optional}</legend>
      ${form.options.map(
        (option, at) =>
          html`<label class="check"
            ><input type="checkbox" name=${name} value=${option} ?checked=${chosen.has(option)} />
            <span>${shown(form.names?.[at] ?? option)}</span></label
          >`,
      )}
      ${hints}
    </fieldset>`;
  }
  if (isSwitch)
    return html`<label class="check" for=${id}
        ><input
          id=${id}
          name=${name}
          type="checkbox"
          role="switch"
          aria-describedby=${describedBy}
          ?checked=${start === "true"}
        />
        <span>${shown(label)}</span></label
      >
      ${hints}`;
  return html`<label for=${id}>${shown(label)}${optional}</label>
    ${showControl({ name, schema, isRequired }, { form, id, start, describedBy, isWrong: problem !== undefined })}
    ${hints}`;
}

function showControl(
  { name, schema, isRequired }: FormField,
  {
    form,
    id,
    start,
    describedBy,
    isWrong,
  }: {
    readonly form: FormKind;
    readonly id: string;
    readonly start: string;
    readonly describedBy: string | typeof nothing;
    readonly isWrong: boolean;
  },
): TemplateResult {
  const invalid = isWrong ? "true" : nothing;
  if (form.kind === "fixed")
    return html`<output id=${id} name=${name}>${shown(spoken(JSON.stringify(schema["const"])))}</output>`;
  if (form.kind === "switch")
    return html`<select id=${id} name=${name} aria-describedby=${describedBy} aria-invalid=${invalid}>
      <option value="" selected></option>
      <option value="true">yes</option>
      <option value="false">no</option>
    </select>`;
  if (form.kind === "choice")
    return html`<select id=${id} name=${name} aria-describedby=${describedBy} aria-invalid=${invalid}>
      ${isRequired && start !== "" ? nothing : html`<option value="" ?selected=${start === ""}></option>`}
      ${form.options.map((option, at) => html`<option value=${option} ?selected=${option === start}>${shown(form.names?.[at] ?? option)}</option>`)}
    </select>`;
  if (form.kind === "raw" || form.kind === "lines")
    return html`<textarea
      id=${id}
      name=${name}
      rows="3"
      spellcheck="false"
      placeholder=${form.kind === "lines" ? "one in each line" : "JSON"}
      ?required=${isRequired && form.kind === "raw"}
      aria-describedby=${describedBy}
      aria-invalid=${invalid}
      .defaultValue=${start}
    ></textarea>`;
  const isNumber = form.kind === "number";
  const format = form.kind === "text" ? form.format : undefined;
  return html`<input
    id=${id}
    name=${name}
    type=${format === undefined ? "text" : INPUTS[format]}
    autocomplete="off"
    inputmode=${isNumber ? (form.isWhole ? "numeric" : "decimal") : nothing}
    ?required=${isRequired}
    aria-describedby=${describedBy}
    aria-invalid=${invalid}
    .defaultValue=${format === "date-time" ? localTime(start) : start}
  />`;
}

/** As the browser's control wants it: in the reader's zone, without seconds. */
function localTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
