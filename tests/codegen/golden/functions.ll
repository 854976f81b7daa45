@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b.1
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 1
  %b.1.t2 = getelementptr i8, ptr %b, i32 -4
  %b.1.t3 = load i32, ptr %b.1.t2, align 4
  %b.1.t4 = icmp ne i32 %b.1.t3, 0
  br i1 %b.1.t4, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 0, i32 0, i32 0) #1
  unreachable
ok.1:
  %ok.1.t1 = sub i32 %b.1.t3, 1
  store i32 %ok.1.t1, ptr %b.1.t2, align 4
  call void @"function.Program.Make.1"(ptr %b, ptr %b.1.t1, ptr null)
  br label %b.2
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}

define internal void @"function.Program.Make.1"(ptr %b, ptr %p0, ptr %live) nounwind {
entry:
  %entry.a1 = alloca [1 x i8], align 1
  %entry.a2 = alloca %lf_live, align 4
  call void @llvm.memset.p0.i32(ptr %entry.a1, i8 0, i32 1, i1 false)
  %entry.t1 = getelementptr %lf_live, ptr %entry.a2, i32 0, i32 0
  store ptr %live, ptr %entry.t1, align 4
  %entry.t2 = getelementptr %lf_live, ptr %entry.a2, i32 0, i32 1
  store ptr %entry.a1, ptr %entry.t2, align 4
  %entry.t3 = getelementptr %lf_live, ptr %entry.a2, i32 0, i32 2
  store i16 1, ptr %entry.t3, align 2
  br label %b.1
b.1:
  %b.1.t1 = call zeroext i8 @lf_new_channel(ptr %b, ptr %entry.a2, i16 zeroext 1)
  store i8 %b.1.t1, ptr %entry.a1, align 1
  %b.1.t2 = call zeroext i8 @lf_new_channel(ptr %b, ptr %entry.a2, i16 zeroext 2)
  store i8 %b.1.t2, ptr %p0, align 1
  ret void
}
