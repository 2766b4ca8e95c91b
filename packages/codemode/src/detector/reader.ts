/** Follows one kind of content up to the tag that ends it. */
export interface Reader {
  /**
   * `begins`: the unit may begin a tag, and everything before it is content. `held`: the tag may continue.
   * `plain`: it is content, and so is what was held. `tag`: it completes the tag that ends this kind of
   * content.
   */
  next(unit: string): "plain" | "begins" | "held" | "tag";
}
