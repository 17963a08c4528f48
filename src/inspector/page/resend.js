// Sends a call again, after an edit, in the session of the page.
import { fill, make, plain } from "./dom.js";
import { callTool, readText } from "./net.js";
import { pictureOf } from "./pictures.js";

export function makeResend(call) {
  const text = make("textarea", { id: "resend-text", rows: "8", spellcheck: "false" });
  const answer = make("div", { id: "resend-answer", role: "status" });
  const { screenshotId, ...rest } = call.arguments ?? {};
  text.value = JSON.stringify({ name: call.tool, arguments: rest }, null, 1);
  const send = async () => {
    try {
      const message = JSON.parse(text.value);
      fill(answer, "Sending …");
      const result = await callTool(String(message.name), message.arguments ?? {});
      const picture = result.content.find(block => block.type === "image");
      fill(answer, make("p", { class: result.isError ? "bad" : "good" }, result.isError ? "The call failed." : "Done."),
        make("pre", { tabindex: "0", "aria-label": "Answer" }, plain(JSON.stringify(readText(result), null, 1))),
        picture ? pictureOf({ data: picture.data, type: picture.mimeType }, null, "Picture of the answer") : null);
    } catch (error) {
      fill(answer, make("p", { class: "bad" }, `${error.message} ${error.hint ?? ""}`));
    }
  };
  return make("details", { class: "resend part" }, make("summary", {}, "Edit and send again"),
    make("p", { class: "hint" }, "Sent in the session of this page. Points are pixels of a default screenshot.",
      screenshotId ? " The screenshotId of the client's session was left out." : ""),
    make("label", { class: "field wide" }, "Call ", text),
    make("button", { type: "button", id: "resend", onclick: send }, "Send"), answer);
}
