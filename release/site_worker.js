// Search needs a worker, and a browser gives none to a page that was opened from a folder: there, a frame does its work.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.IFrameWorker = IFrameWorker;
      inside.postMessage = (data) => this.told(data);
      inside.importScripts = (...urls) => urls.reduce((last, u) => last.then(() => loaded(inside.document, u)), Promise.resolve());
      loaded(inside.document, url).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        for (const data of waiting) this.postMessage(data);
      });
    }
    told(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
function loaded(page, url) {
  return new Promise((resolve, reject) => {
    const script = page.createElement("script");
    script.src = url;
    script.onload = resolve;
    script.onerror = reject;
    page.body.append(script);
  });
}
