/** The part of it that tests use; it has no types of its own. */
declare module "parse-prometheus-text-format" {
  export default function parse(text: string): readonly {
    readonly name: string;
    readonly metrics: readonly {
      readonly labels?: Readonly<Record<string, string>>;
      readonly value: string;
    }[];
  }[];
}
