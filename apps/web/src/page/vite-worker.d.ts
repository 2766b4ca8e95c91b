/** The address of a worker's script, as Vite builds it. */
declare module "*?worker&url" {
  const address: string;
  export default address;
}
