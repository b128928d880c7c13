/**
 * What was typed into an editor and handed on, and has not come back yet: an editor is ahead of whoever keeps its text, and what
 * comes back late must not take away what was typed since.
 */
export class EditorEchoes {
  /** The oldest first. */
  #sent: string[] = [];

  /** Notes a text that the editor has now. @param kept what whoever keeps the text has @returns whether it is news, to be handed on */
  isNews(text: string, kept: string): boolean {
    if (text === (this.#sent.at(-1) ?? kept)) return false;
    this.#sent.push(text);
    return true;
  }

  /** Whether a text that comes in is one that was typed here; any other takes the place of all that was typed. */
  isOwn(text: string): boolean {
    const index = this.#sent.indexOf(text);
    this.#sent = index === -1 ? [] : this.#sent.slice(index + 1);
    return index !== -1;
  }
}
