/**
 * Texts that were typed into an editor and sent to the document, and have not come back yet. An editor is ahead of its
 * document, and a late echo must not remove text typed since.
 */
export class EditorEchoes {
  /** Oldest first. */
  #sent: string[] = [];

  /**
   * Records the current text of the editor. @param kept text of the document @returns whether the text is new and must
   * be sent
   */
  isNews(text: string, kept: string): boolean {
    if (text === (this.#sent.at(-1) ?? kept)) return false;
    this.#sent.push(text);
    return true;
  }

  /** Returns whether an incoming text was typed here. Any other text replaces everything that was typed. */
  isOwn(text: string): boolean {
    const index = this.#sent.indexOf(text);
    this.#sent = index === -1 ? [] : this.#sent.slice(index + 1);
    return index !== -1;
  }
}
