/** Follows one kind of content up to the tag that ends it. */
export interface Reader {
  /**
   * `begins`: the unit may begin a tag, and all before it is content. `held`: it may go on. `plain`: it
   * is content, as is whatever was held. `tag`: it completes the tag that ends this kind of content.
   */
  next(unit: string): "plain" | "begins" | "held" | "tag";
}
