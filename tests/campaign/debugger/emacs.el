;;; A session of Emacs' dap-mode with `lfc dap'. -*- lexical-binding: t -*-
;;; What Emacs shows is printed, a line for each stop. Started by clients.py, which says in the environment:
;;; LF_PROGRAM, LF_DEBUGGER (a command).

(package-initialize)
(require 'dap-mode)
(require 'dap-overlays)
(setq dap-auto-show-output nil
      dap-breakpoints-file (make-temp-file "breakpoints")
      lsp-session-file (make-temp-name (expand-file-name "session" temporary-file-directory)))

(defvar patience 240)
(defvar frames 0 "How often Emacs has gone to a frame.")
(defvar over nil)
(add-hook 'dap-stack-frame-changed-hook (lambda (_) (setq frames (1+ frames))))
(add-hook 'dap-terminated-hook (lambda (_) (setq over t)))

(defun wait-until (what test)
  (let ((end (+ (float-time) patience)))
    (while (not (funcall test))
      (when (> (float-time) end) (error "Not seen: %s" what))
      (accept-process-output nil 0.05))))

(defun stops-after (what act)
  "Does it, waits for the next frame, and says where Emacs stands."
  (let ((before frames))
    (funcall act)
    (wait-until what (lambda () (> frames before)))
    (princ (format "%s: line %d, %s\n" what (line-number-at-pos)
                   (gethash "name" (dap--debug-session-active-frame (dap--cur-session)))))))

(defun asked (command arguments)
  "The body of the answer."
  (let (found)
    (dap--send-message (dap--make-request command arguments)
                       (lambda (answer) (setq found answer)) (dap--cur-session))
    (wait-until command (lambda () found))
    (gethash "body" found)))

(defun tell-variables ()
  (let* ((frame (gethash "id" (dap--debug-session-active-frame (dap--cur-session))))
         (scopes (gethash "scopes" (asked "scopes" (list :frameId frame)))))
    (dolist (scope scopes)
      (let ((shown (gethash "variables" (asked "variables" (list :variablesReference (gethash "variablesReference" scope))))))
        (when shown
          (princ (format "  %s: %s\n" (gethash "name" scope)
                         (mapconcat (lambda (v) (format "%s = %s" (gethash "name" v) (gethash "value" v))) shown ", "))))))))

(defun back (command)
  "dap-mode has no command of its own for this."
  (lambda () (dap--step command (dap--cur-session))))

(find-file (getenv "LF_PROGRAM"))
(goto-char (point-min))
(forward-line 5)
(dap-breakpoint-add)
(dap-register-debug-provider "lf" (lambda (conf) (dap--put-if-absent conf :dap-server-path (split-string (getenv "LF_DEBUGGER")))))
(stops-after "start"
             (lambda () (dap-debug (list :type "lf" :request "launch" :name "LF" :program (getenv "LF_PROGRAM") :stopOnEntry t))))
(stops-after "continue" (lambda () (call-interactively 'dap-continue)))
(tell-variables)
(princ (format "threads: %s\n" (mapconcat (lambda (th) (gethash "name" th)) (gethash "threads" (asked "threads" nil)) ", ")))
(stops-after "step in" (lambda () (call-interactively 'dap-step-in)))
(stops-after "next" (lambda () (call-interactively 'dap-next)))
(tell-variables)
(stops-after "step back" (back "stepBack"))
(tell-variables)
(princ (format "evaluate: %s\n"
               (gethash "result" (asked "evaluate" (list :expression "n" :context "hover"
                                                         :frameId (gethash "id" (dap--debug-session-active-frame (dap--cur-session))))))))
(dap-breakpoint-delete-all)
(stops-after "to the error" (lambda () (call-interactively 'dap-continue)))
(wait-until "the exception" (lambda () (with-current-buffer "*Messages*" (save-excursion (goto-char (point-min)) (search-forward "Exception has occurred" nil t)))))
(stops-after "reverse" (back "reverseContinue"))
(setq over nil)
(call-interactively 'dap-disconnect)
(wait-until "the end" (lambda () (not (process-live-p (dap--debug-session-proc (dap--cur-session))))))
(princ "disconnected\n")
