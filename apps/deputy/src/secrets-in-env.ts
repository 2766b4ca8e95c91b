const NAMES_OF_SECRETS = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Values of environment variables whose names say that they are secret. */
export function secretsIn(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && NAMES_OF_SECRETS.test(name) ? [value] : [],
  );
}
