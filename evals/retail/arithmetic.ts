/** The value of an expression of numbers, `+ - * /` and parentheses; undefined when it is none. */
export function evaluateArithmetic(expression: string): number | undefined {
  const tokens = expression.match(/\d+\.?\d*|\.\d+|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const take = (...wanted: readonly string[]): string | undefined => {
    const token = tokens[at];
    if (token === undefined || !wanted.includes(token)) return undefined;
    at++;
    return token;
  };
  const sum = (): number => {
    let value = product();
    for (let sign = take("+", "-"); sign !== undefined; sign = take("+", "-")) {
      value = sign === "+" ? value + product() : value - product();
    }
    return value;
  };
  const product = (): number => {
    let value = factor();
    for (let sign = take("*", "/"); sign !== undefined; sign = take("*", "/")) {
      value = sign === "*" ? value * factor() : value / factor();
    }
    return value;
  };
  const factor = (): number => {
    if (take("-") !== undefined) return -factor();
    if (take("+") !== undefined) return factor();
    if (take("(") === undefined) return Number(tokens[at++] ?? Number.NaN);
    const value = sum();
    return take(")") === undefined ? Number.NaN : value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
}
